// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon export flame: a flame graph as one file of SVG, see flame.h. Nothing in it
 * comes from elsewhere. A click makes a box as wide as the graph, a search colours
 * boxes by their names.
 */
#include "export/flame.h"

#include <inttypes.h>
#include <string.h>

#include "export/formats.h"
#include "export/markup.h"

#define WIDTH 1200
#define BOX_HEIGHT 18
#define TOP 40 /* title and search */

/* Levels: all, thread, file, function; or all, thread and the stack. */
#define LEVELS_FLAT 4
#define LEVELS_ABOVE_STACK 2

/* Browsers run it in the graph's own document or in the page around it. */
static const char script[] =
	"<script><![CDATA[\n"
	"(function () {\n"
	"var svg = document.querySelector('svg.flame');\n"
	"var boxes = [].slice.call(svg.querySelectorAll('g.box'));\n"
	"var all = +boxes[0].getAttribute('data-n'), from = 0, shown = all;\n"
	"function number(box, name) { return +box.getAttribute('data-' + name); }\n"
	"function draw() {\n"
	"  boxes.forEach(function (box) {\n"
	"    var start = Math.max(number(box, 's'), from);\n"
	"    var end = Math.min(number(box, 's') + number(box, 'n'), from + shown);\n"
	"    var x = (start - from) / shown * 1200, w = (end - start) / shown * 1200;\n"
	"    box.style.display = w > 0 ? '' : 'none';\n"
	"    if (w <= 0) return;\n"
	"    var rect = box.querySelector('rect'), text = box.querySelector('text');\n"
	"    var name = box.getAttribute('data-name'), room = Math.floor((w - 6) / 7);\n"
	/* The first directories of a path are those of all. */
	"    if (name.length > room && name[0] === '/')\n"
	"      name = name.slice(name.lastIndexOf('/') + 1);\n"
	"    rect.setAttribute('x', x);\n"
	"    rect.setAttribute('width', Math.max(w - 0.5, 0.1));\n"
	"    text.setAttribute('x', x + 3);\n"
	"    text.textContent = room < 3 ? '' :\n"
	"      name.length <= room ? name : name.slice(0, room - 2) + '..';\n"
	"  });\n"
	"}\n"
	"function search(word) {\n"
	"  var hits = [], found = 0, end = 0;\n"
	"  boxes.forEach(function (box, i) {\n"
	"    var hit = i && word &&\n"
	"      box.getAttribute('data-name').toLowerCase().indexOf(word.toLowerCase()) >= 0;\n"
	"    box.classList.toggle('hit', !!hit);\n"
	"    if (hit) hits.push([number(box, 's'), number(box, 's') + number(box, 'n')]);\n"
	"  });\n"
	"  hits.sort(function (a, b) { return a[0] - b[0]; });\n"
	"  hits.forEach(function (hit) {\n"
	"    found += Math.max(hit[1] - Math.max(hit[0], end), 0);\n"
	"    end = Math.max(end, hit[1]);\n"
	"  });\n"
	"  svg.querySelector('.found').textContent = word ?\n"
	"    (found * 100 / all).toFixed(2) + ' % of the samples match' : '';\n"
	"}\n"
	"boxes.forEach(function (box) {\n"
	"  box.addEventListener('click', function () {\n"
	"    from = number(box, 's'); shown = number(box, 'n'); draw();\n"
	"  });\n"
	"});\n"
	"svg.querySelector('.search').addEventListener('click', function () {\n"
	"  search(window.prompt('search for') || '');\n"
	"});\n"
	"svg.querySelector('.reset').addEventListener('click', function () {\n"
	"  from = 0; shown = all; search(''); draw();\n"
	"});\n"
	"window.flameSearch = search;\n"
	"draw();\n"
	"})();\n"
	"]]></script>\n";

static const char style[] =
	"<style>\n"
	"svg.flame text { font: 12px monospace; fill: #222; pointer-events: none; }\n"
	"svg.flame text.search, svg.flame text.reset { pointer-events: all; cursor: pointer; "
	"fill: #06c; }\n"
	"svg.flame g.box { cursor: pointer; }\n"
	"svg.flame g.hit rect { fill: #c6f; }\n"
	"</style>\n";

/* Warm colours that a name always has. */
static void print_colour(const char *name, bool kernel, FILE *out)
{
	unsigned int hash = 2166136261U;

	for (; *name; name++)
		hash = (hash ^ (unsigned char)*name) * 16777619U;
	if (kernel)
		fprintf(out, "rgb(%u,%u,%u)", 90 + hash % 40,
			140 + hash / 64 % 60, 200 + hash / 4096 % 50);
	else
		fprintf(out, "rgb(%u,%u,%u)", 215 + hash % 40,
			100 + hash / 64 % 120, 40 + hash / 4096 % 40);
}

/* Whether samples have callers. */
static bool has_stacks(const struct folds *folds)
{
	return folds->depth > 1;
}

static int levels_of(const struct folds *folds)
{
	return has_stacks(folds) ? LEVELS_ABOVE_STACK + (int)folds->depth :
				   LEVELS_FLAT;
}

static int height_of(const struct folds *folds)
{
	return TOP + levels_of(folds) * BOX_HEIGHT + 24;
}

static void print_box(const struct folds *folds, int level, uint64_t start,
		      uint64_t samples, const char *name, bool kernel,
		      FILE *out)
{
	double scale = (double)WIDTH / (double)folds->samples;
	int y = TOP + (levels_of(folds) - 1 - level) * BOX_HEIGHT;

	fprintf(out,
		"<g class=\"box\" data-s=\"%" PRIu64 "\" data-n=\"%" PRIu64
		"\" data-name=\"",
		start, samples);
	markup_text(name, out);
	fputs("\"><title>", out);
	markup_text(name, out);
	fprintf(out, " (%" PRIu64 " samples, %.2f %%)</title>", samples,
		100.0 * (double)samples / (double)folds->samples);
	fprintf(out,
		"<rect x=\"%.2f\" y=\"%d\" width=\"%.2f\" height=\"%d\" rx=\"2\" fill=\"",
		(double)start * scale, y, (double)samples * scale,
		BOX_HEIGHT - 1);
	print_colour(name, kernel, out);
	fprintf(out, "\"/><text x=\"%.2f\" y=\"%d\"></text></g>\n",
		(double)start * scale + 3, y + 13);
}

/* The function whose box a level has; NULL: the level is above, or has none. */
static const struct function *function_at(const struct folds *folds,
					  const struct fold *fold, int level)
{
	unsigned int frame = (unsigned int)(level - LEVELS_ABOVE_STACK);

	if (!has_stacks(folds))
		return level == LEVELS_FLAT - 1 ? fold->function : NULL;
	return level >= LEVELS_ABOVE_STACK && frame < fold->depth ?
		       fold->stack[frame] :
		       NULL;
}

/* NULL: the stack is not so deep. */
static const char *name_at(const struct folds *folds, const struct fold *fold,
			   int level)
{
	const struct function *function = function_at(folds, fold, level);

	if (function)
		return function->name;
	if (level == 1)
		return fold->comm;
	if (has_stacks(folds))
		return NULL;
	return *fold->function->file ? fold->function->file : "[unknown]";
}

static bool same_up_to(const struct folds *folds, const struct fold *a,
		       const struct fold *b, int level)
{
	for (int i = 1; i <= level; i++) {
		const char *one = name_at(folds, a, i);
		const char *other = name_at(folds, b, i);

		if (!one || !other || strcmp(one, other) != 0)
			return false;
	}
	return true;
}

/* Rows that have the same names up to this level are one box. */
static void print_level(const struct folds *folds, int level, FILE *out)
{
	uint64_t start = 0, samples = 0;

	for (size_t i = 0; i < folds->count; i++) {
		const struct fold *fold = &folds->rows[i];
		const struct function *function =
			function_at(folds, fold, level);
		const char *name = name_at(folds, fold, level);

		samples += fold->samples;
		if (i + 1 < folds->count &&
		    same_up_to(folds, fold, fold + 1, level))
			continue;
		/* A thread is of neither; a file is of what its functions are. */
		if (name)
			print_box(folds, level, start, samples, name,
				  level > 1 &&
					  (function ? function->kernel :
						      fold->function->kernel),
				  out);
		start += samples;
		samples = 0;
	}
}

void flame_print(const struct folds *folds, const char *title, FILE *out)
{
	fprintf(out,
		"<svg class=\"flame\" xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"100%%\">\n",
		WIDTH, height_of(folds));
	fputs(style, out);
	fprintf(out, "<text x=\"%d\" y=\"20\" text-anchor=\"middle\">",
		WIDTH / 2);
	markup_text(title, out);
	fputs("</text>\n<text class=\"reset\" x=\"10\" y=\"20\">all</text>\n"
	      "<text class=\"search\" x=\"1130\" y=\"20\">search</text>\n",
	      out);
	fprintf(out, "<text class=\"found\" x=\"10\" y=\"%d\"></text>\n",
		height_of(folds) - 8);
	if (folds->samples) {
		print_box(folds, 0, 0, folds->samples, "all", false, out);
		for (int level = 1; level < levels_of(folds); level++)
			print_level(folds, level, out);
		fputs(script, out);
	}
	fputs("</svg>\n", out);
}

int export_flame(struct view *view)
{
	struct folds folds;
	int ret = folds_sum(&folds, view);

	if (!ret) {
		fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n",
		      view->output.stream);
		flame_print(&folds, view->profile.events[folds.event].name,
			    view->output.stream);
	}
	folds_free(&folds);
	return ret;
}

// SPDX-License-Identifier: GPL-2.0-only
/*
 * pfmon export html: one page that needs nothing else: the flame graph, a table of
 * functions that can be sorted and searched, the hottest places, and what was run.
 */
#include <inttypes.h>

#include "export/flame.h"
#include "export/formats.h"
#include "export/markup.h"
#include "export/page.h"
#include "views/rows.h"

static const char head[] =
	"<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
	"<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
	"style-src 'unsafe-inline'; script-src 'unsafe-inline'\">\n"
	"<style>\n"
	"body { font: 14px sans-serif; margin: 1em 2em; color: #222; }\n"
	"table { border-collapse: collapse; font: 13px monospace; }\n"
	"td, th { padding: 2px 12px; text-align: left; }\n"
	"td.n, th.n { text-align: right; }\n"
	"th { cursor: pointer; border-bottom: 1px solid #888; }\n"
	"dl { display: grid; grid-template-columns: max-content auto; }\n"
	"dd { font: 13px monospace; overflow-wrap: anywhere; }\n"
	"tr:nth-child(even) { background: #f4f4f4; }\n"
	".note { background: #fd8; padding: 4px 8px; }\n"
	"</style>\n";

static const char tail[] =
	"<script>\n"
	"(function () {\n"
	"var field = document.getElementById('search');\n"
	"field.addEventListener('input', function () {\n"
	"  var word = field.value.toLowerCase();\n"
	"  [].forEach.call(document.querySelectorAll('tbody tr'), function (row) {\n"
	"    row.style.display = row.textContent.toLowerCase().indexOf(word) < 0 ? 'none' : '';\n"
	"  });\n"
	"  if (window.flameSearch) window.flameSearch(field.value);\n"
	"});\n"
	"[].forEach.call(document.querySelectorAll('th'), function (th) {\n"
	"  th.addEventListener('click', function () {\n"
	"    var body = th.closest('table').tBodies[0], column = th.cellIndex;\n"
	"    var rows = [].slice.call(body.rows), numbers = th.className === 'n';\n"
	"    rows.sort(function (a, b) {\n"
	"      var x = a.cells[column].textContent, y = b.cells[column].textContent;\n"
	"      return numbers ? parseFloat(y) - parseFloat(x) : x < y ? -1 : x > y ? 1 : 0;\n"
	"    });\n"
	"    rows.forEach(function (row) { body.appendChild(row); });\n"
	"  });\n"
	"});\n"
	"})();\n"
	"</script>\n</body>\n</html>\n";

static void print_functions(const struct rows *rows, FILE *out)
{
	fputs("<h2>Functions</h2>\n<table><thead><tr><th class=\"n\">samples</th>"
	      "<th class=\"n\">self %</th>",
	      out);
	if (rows->chains)
		fputs("<th class=\"n\">total</th><th class=\"n\">total %</th>",
		      out);
	fputs("<th>symbol</th><th>file</th></tr></thead>\n<tbody>\n", out);
	for (size_t i = 0; i < rows->count; i++) {
		const struct row *row = &rows->rows[i];

		fputs("<tr>", out);
		page_numbers(row->samples, rows->samples, out);
		if (rows->chains)
			page_numbers(row->total, rows->samples, out);
		page_cell(row->function->name, out);
		page_cell(row->function->file, out);
		fputs("</tr>\n", out);
	}
	fputs("</tbody></table>\n", out);
}

static void print_head(const struct view *view, const char *event,
		       uint64_t samples, FILE *out)
{
	char losses[256];

	fputs(head, out);
	fputs("<title>pfmon: ", out);
	markup_text(event, out);
	fputs("</title>\n</head>\n<body>\n<h1>", out);
	markup_text(event, out);
	fprintf(out, ": %" PRIu64 " samples</h1>\n", samples);
	if (*view_losses(view, losses, sizeof(losses))) {
		fputs("<p class=\"note\">", out);
		markup_text(losses, out);
		fputs("</p>\n", out);
	}
	fputs("<p><input id=\"search\" type=\"search\" placeholder=\"search\"></p>\n",
	      out);
}

static int print_page(const struct view *view, const struct folds *folds,
		      const struct rows *functions, const struct rows *places)
{
	const char *event = view->profile.events[folds->event].name;
	FILE *out = view->output.stream;

	print_head(view, event, folds->samples, out);
	flame_print(folds, event, out);
	print_functions(&functions[folds->event], out);
	if (page_spots(&places[folds->event], out))
		return -1;
	page_run(&view->profile, folds->event, out);
	fputs(tail, out);
	return 0;
}

int export_html(struct view *view)
{
	struct rows *functions = NULL, *places = NULL;
	struct folds folds;
	int ret = folds_sum(&folds, view);

	if (!ret)
		functions = rows_sum(view, ROWS_TOTAL);
	if (functions)
		places = rows_sum(view, ROWS_PLACE);
	ret = places ? print_page(view, &folds, functions, places) : -1;
	rows_free(functions, view);
	rows_free(places, view);
	folds_free(&folds);
	return ret;
}

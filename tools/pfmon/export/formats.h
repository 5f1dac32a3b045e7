/* SPDX-License-Identifier: GPL-2.0-only */
/* The formats of other tools that files of samples are written in. */
#ifndef PFMON_FORMATS_H
#define PFMON_FORMATS_H

#include "views/view.h"

/*
 * Each writes the samples of a view, whose output is open. 0, or -1 after a message.
 */
int export_callgrind(struct view *view);
int export_firefox(struct view *view);
int export_flame(struct view *view);
int export_folded(struct view *view);
int export_html(struct view *view);
int export_perfdata(struct view *view);
int export_pprof(struct view *view);

#endif /* PFMON_FORMATS_H */

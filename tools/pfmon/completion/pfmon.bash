# SPDX-License-Identifier: GPL-2.0-only
# shellcheck shell=bash
#
# Completion of pfmon for bash. The words come from pfmon itself, so that they are
# those of the version that is installed: options from --help, events from -l.

# What --help of a verb ("" is the classic command line) tells of its options.
_pfmon_options() {
	pfmon "${1:---help-classic}" ${1:+--help} 2> /dev/null |
		grep -oE '(^|[ ,])--?[a-zA-Z]([a-z0-9-]*[a-z0-9])?' | tr -d ' ,' | sort -u
}

# Events, the last of a list; the groups and metrics likewise.
_pfmon_list() {
	local head=${1%"${1##*[,;\{]}"} word=${1##*[,;\{]}
	shift

	compopt -o nospace
	COMPREPLY=($(compgen -P "$head" -W "$("$@")" -- "$word"))
}

_pfmon_events() {
	pfmon -l 2> /dev/null | awk '{ print $1 }'
	echo instructions cycles branches branch-misses task-clock \
		page-faults context-switches
}

_pfmon_groups() {
	pfmon list --groups 2> /dev/null | awk '/^[^ ]/ { print $1 }'
}

_pfmon_metrics() {
	pfmon list --groups 2> /dev/null | awk '/^ / { print $1 }'
	pfmon list --metrics 2> /dev/null | awk '/^[^ ]/ { print $1 }'
}

_pfmon() {
	local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
	local verbs="annotate check diff export list merge record report script stat top" verb=

	COMPREPLY=()
	case " $verbs " in
	*" ${COMP_WORDS[1]} "*) [ "$COMP_CWORD" -gt 1 ] && verb=${COMP_WORDS[1]} ;;
	esac
	case $verb$prev in
	-e | stat-e | record-e | top-e | --events | stat--events | record--events | stat--event | \
		top--event | \
		record--event | --reference | stat--reference)
		_pfmon_list "$cur" _pfmon_events
		return
		;;
	-i | --event-info | list--describe)
		COMPREPLY=($(compgen -W "$(_pfmon_events)" -- "$cur"))
		return
		;;
	stat-g | stat--group)
		_pfmon_list "$cur" _pfmon_groups
		return
		;;
	stat-M | stat--metrics)
		_pfmon_list "$cur" _pfmon_metrics
		return
		;;
	top--by)
		COMPREPLY=($(compgen -W "events cpus threads functions" -- "$cur"))
		return
		;;
	-p | --attach-task | top-p | top--pid | top-t | top--tid | stat-p | stat--pid | stat-t | stat--tid | record-p | \
		record--pid | record-t | record--tid)
		COMPREPLY=($(compgen -W "$(cd /proc && echo [0-9]*)" -- "$cur"))
		return
		;;
	esac
	if [[ $cur == -* ]]; then
		COMPREPLY=($(compgen -W "$(_pfmon_options "$verb")" -- "$cur"))
	elif [ "$COMP_CWORD" = 1 ]; then
		COMPREPLY=($(compgen -W "$verbs" -c -- "$cur"))
	elif [ "$verb" = export ] && [ "$COMP_CWORD" = 2 ]; then
		COMPREPLY=($(compgen -W "callgrind firefox flame folded html perfdata pprof" \
			-- "$cur"))
	else
		compopt -o filenames
		case $verb in
		annotate | diff | export | merge | report | script)
			COMPREPLY=($(compgen -f -- "$cur"))
			;;
		*) COMPREPLY=($(compgen -c -f -- "$cur")) ;;
		esac
	fi
}

complete -F _pfmon pfmon

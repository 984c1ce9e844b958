"""Values to text: summaries, single answers, tables; no I/O, no color, no decisions.

In: records, grades, counts. Out: plain text of at most 80 columns, or JSON-ready dicts. Deliberately
does not know where its text goes, nor how anything was graded.
"""

from groundwire.report.answer import render_answer
from groundwire.report.inspection import Inspection
from groundwire.report.layout import WIDTH, format_duration, wrap
from groundwire.report.summary import Summary, render_summary

__all__ = ["WIDTH", "Inspection", "Summary", "format_duration", "render_answer", "render_summary", "wrap"]

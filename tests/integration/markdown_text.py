"""What a reader of markdown takes for text."""
import re


def without_code(text):
    """What a reader of markdown takes for text: without code spans, which end at as many backticks as they begin with."""
    shown, at = "", 0
    while at < len(text):
        if text[at] == "\\":
            shown += "\\" + text[at + 1:at + 2]
            at += 2
            continue
        fence = re.compile("`*").match(text, at).group()
        if not fence:
            shown += text[at]
            at += 1
            continue
        end = re.compile(rf"(?<!`){fence}(?!`)").search(text, at + len(fence))
        at += len(fence) if end is None else end.end() - at
        shown += fence if end is None else "C"
    return shown

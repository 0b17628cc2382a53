"""A page as it was rendered in, as it is published out: without what HTML understands unsaid, and with what scrolls.

Both together are a tenth of a page full of lists and tables; what each page weighs is held by a test.
"""

from __future__ import annotations

import re

_UNSAID = {f"/{tag}" for tag in ("li", "td", "th", "tr", "thead", "tbody", "dt", "dd")}
"""Ends that HTML understands unsaid where these elements stand.

https://html.spec.whatwg.org/multipage/syntax.html#optional-tags
"""
_HEADINGS = {"h1", "h2", "h3", "h4", "h5", "h6"}
_ENDS_A_PARAGRAPH = {
    *("p", "ul", "ol", "dl", "div", "details", "article", "section", "table", "pre", *_HEADINGS),
    *("/div", "/details", "/article", "/section", "/main", "/li"),
}
"""Tags before which the end of a paragraph is understood, too."""
_BLOCKS = {
    *("p", "ul", "ol", "li", "div", "article", "details", "table", "thead", "tbody", "tr", "td", "th", *_HEADINGS)
}
"""Elements whose tags need no line of their own."""
_VOID = {"img", "br", "hr", "input", "col", "wbr"}
"""Elements of HTML that hold nothing: a stroke before the end of their tag means nothing there."""
_QUOTED = r"""[^>"']*+(?:(?:"[^"]*"|'[^']*')[^>"']*+)*+"""
_TAG = re.compile(
    rf"<(?P<end>/?)(?P<tag>(?!script|style)[a-z][^\s/>]*)(?P<attributes>{_QUOTED})>"
    r"|<(?P<raw>script|style).*?</(?P=raw)>|<!--(?P<comment>.*?)-->",
    re.DOTALL | re.IGNORECASE,
)
"""A tag; what is no HTML from its tag to its end; or a comment."""
_SIDES = {
    ' style="text-align: left;"': "",
    ' style="text-align: center;"': ' class="mid"',
    ' style="text-align: right;"': ' class="end"',
}
"""How Markdown says to which side the cells of a column stand, and how the style sheet knows it."""


def lean(html: str) -> str:
    """A page to publish. Code and tables that are wider than it scroll by themselves; code takes the focus, for the
    keys.

    >>> lean("<ul>\\n<li><p>one &amp; all</p>\\n</li>\\n</ul><pre>x</pre><table><tr><td>1</td></tr></table>")
    '<ul><li><p>one &amp; all</ul><pre tabindex="0">x</pre><div class="fit"><table><tr><td>1</table></div>'
    """
    page = _Lean()
    at = 0
    for found in _TAG.finditer(html):
        if at < found.start():
            page.parts.append(html[at : found.start()])
        at = found.end()
        text, end, tag, attributes = found.group(0, "end", "tag", "attributes")
        if found["raw"]:
            page.parts.append(text)
        elif not tag:
            continue  # a comment goes
        elif end:
            page.end(tag.lower())
        elif text.endswith("/>"):
            page.parts.append(text.removesuffix("/>").rstrip() + ">" if tag.lower() in _VOID else text)
        else:
            page.start(tag.lower(), attributes, text)
    page.parts.append(html[at:])
    return "".join(page.parts)


class _Lean:
    def __init__(self) -> None:
        self.parts = [""]
        self.is_fitted = False
        """Whether we put the last table into what scrolls; some stand in it already."""
        self.is_summary = False
        """Whether this is what stands on a fold: headings may stand there, but no paragraphs."""

    def put(self, tag: str, text: str) -> None:
        """A tag; that of an end begins with a stroke."""
        if tag.strip("/") in _BLOCKS:
            self.parts[-1] = self.parts[-1].rstrip("\n")
            if not self.parts[-1] and len(self.parts) > 1:
                self.parts.pop()
        if tag in _ENDS_A_PARAGRAPH and self.parts[-1] == "</p>":
            self.parts.pop()
        if tag not in _UNSAID:
            self.parts.append(text)

    def start(self, tag: str, attributes: str, text: str) -> None:
        self.is_summary |= tag == "summary"
        if tag == "p" and self.is_summary:
            self.put("span", "<span" + text.removeprefix("<p"))
            return
        if tag == "table":
            before = next((part for part in reversed(self.parts) if part.strip()), "")
            self.is_fitted = not before.startswith('<div class="scroll')
            if self.is_fitted:
                self.put("div", '<div class="fit">')
        if tag == "pre" and not attributes:
            text = '<pre tabindex="0">'
        elif tag in ("td", "th") and attributes in _SIDES:
            text = f"<{tag}{_SIDES[attributes]}>"
        self.put(tag, text)

    def end(self, tag: str) -> None:
        self.is_summary &= tag != "summary"
        if tag == "p" and self.is_summary:
            tag = "span"
        self.put(f"/{tag}", f"</{tag}>")
        if tag == "table" and self.is_fitted:
            self.put("/div", "</div>")

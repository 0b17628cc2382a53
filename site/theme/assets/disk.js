/* Adds the fonts again, for a page from disk: there they come too late to be used on the first page, but so soon that nobody
   sees them come. */
[["sans", "BookSans", 400, "normal"], ["sans-bold", "BookSans", 600, "normal"], ["sans-italic", "BookSans", 400, "italic"], ["serif", "BookSerif", 900, "normal"]].forEach(function (font) {
  var url = new URL(window.grimalkin.base + "/fonts/" + font[0] + ".woff2", location.href).href;
  document.fonts.add(new FontFace(font[1], "url(\"" + url + "\")", { weight: font[2], style: font[3], display: "swap" }));
});

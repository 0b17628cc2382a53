/* Searches cards with operators: force>2 family:roast power:draw -name:"night owl". Nothing here touches a page.

   window.grimalkin.cards has:

   parse(text, columns, decks?) -> { terms, words, problems }
     columns: [{ key, label, kind: "choice" | "number" | "text", choices?: [..], numbers?: bool }], those of one deck.
     decks: the names of all decks, if "deck:" should reject others.
     terms: [{ key, op: ":" | "=" | "!=" | "<" | "<=" | ">" | ">=", value, no: bool }]; words: [{ text, no: bool }].
     A column is named by its key or its label, ignoring case, blanks and hyphens; `name` and `deck` always exist.
     Invalid terms become problems instead of terms.
   matches(row, query) -> bool
     row: { name, deck, text, values: { key: displayed value } }; query: the result of parse.
     A row without the column of a term never matches, even if the term is negated.
   told(problem, said) -> a sentence; `said` are the words of words.yaml that begin with "cards-".

   To search all cards of a game, load its file assets/cards/GAME.js, then use

   decks(game) -> [{ id, name, columns, rows }]; rows also have id, face (or "") and page, with paths relative to the site.
   find(text, decks) -> { asked: bool, rows, problems }
     asked: whether the text has any operator. Each deck is searched by its columns; a problem is reported only
     if no deck could be searched. Words for `told` are in window.grimalkinCards[game].said. */
(function () {
  "use strict";
  var OPS = { "≥": ">=", "≤": "<=", "≠": "!=" }, BUILT_IN = ["name", "deck"], MOST_JOINED = 5, MOST_TOLD = 8, LONGEST_NAME = 20, LONGEST_WORD = 40;
  var QUOTED = /["“”„]([^"“”„]*)["“”„]?/y, BARE = /(?:(?!!=)[^\s"“”„:=<>≥≤≠])+/y, VALUE = /[^\s"“”„]+/y;
  var OP = /\s*(>=|<=|!=|[=<>≥≤≠])\s*|(:)\s*/y, BLANK = /\s+/y, NUMBER = /^[+-]?\d+(?:[.,]\d+)?$/;

  function fold(text) {
    return text.normalize("NFD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/\s+/g, " ").trim();
  }
  function called(text) { return fold(text).replace(/[^\p{L}\p{N}]/gu, ""); }
  function number(text) { return NUMBER.test(text.trim()) ? +text.replace(",", ".") : NaN; }

  function pieces(text) {
    /* Split the text into words, quoted phrases and terms. */
    var at = 0, found = [];
    function take(pattern) {
      pattern.lastIndex = at;
      var match = pattern.exec(text);
      if (match) at = pattern.lastIndex;
      return match;
    }
    while (take(BLANK), at < text.length) {
      var no = text[at] === "-" && /[^\s:=<>!≥≤≠-]/.test(text[at + 1] || "");
      if (no) at++;
      var quoted = take(QUOTED), bare = !quoted && take(BARE);
      var one = { no: no, name: quoted ? quoted[1] : bare ? bare[0] : "", quoted: Boolean(quoted) };
      var op = called(one.name) && take(OP);
      if (op) {
        var value = take(QUOTED), said = value ? value[1] : (take(VALUE) || [""])[0];
        one.op = OPS[op[1]] || op[1] || ":";
        one.value = said.trim();
        /* As in "Phase 1: Actions": not a term if there is no such column. */
        one.loose = one.op === ":" && (/\s$/.test(op[0]) || !one.value);
      } else if (!one.name && !quoted) {
        one.name = (take(VALUE) || [text[at++]])[0];
      }
      if (one.name.trim() && one.name !== "-") found.push(one);
    }
    return found;
  }

  function parse(text, columns, decks) {
    var known = names(columns.concat([
      { key: "name", label: "name", kind: "text" }, { key: "deck", label: "deck", kind: "text", choices: decks }
    ]));
    var query = { terms: [], words: [], problems: [] }, bare = [];
    function word(text, no) {
      query.words.push({ text: text, no: no });
      return query.words[query.words.length - 1];
    }
    pieces(text).forEach(function (one) {
      if (!one.op) {
        var last = word(one.name, one.no);
        bare = one.quoted ? [] : one.no ? [last] : bare.slice(1 - MOST_JOINED).concat([last]);
        return;
      }
      var column = joined(one, bare, known, query.words), problem = column ? fault(column, one, known) : unknown(one.name, columns, known);
      bare = [];
      if (!column && one.loose) [one.name, one.value].filter(Boolean).forEach(function (part) { word(part, one.no); });
      else if (problem) query.problems.push(problem);
      if (column && (!problem || problem.kind === "choice")) {
        query.terms.push({ key: column.key, op: one.op, value: one.value, no: one.no });
      }
    });
    return query;
  }
  function names(columns) {
    /* Index columns by name; keys take precedence over labels. */
    var known = new Map();
    ["label", "key"].forEach(function (part) {
      columns.slice().reverse().forEach(function (column) {
        if (called(column[part])) known.set(called(column[part]), column);
      });
    });
    return known;
  }
  function joined(one, bare, known, words) {
    /* Return the column of a term. A label may have several words; the words before then belong to it. */
    for (var n = one.quoted || one.no ? 0 : Math.min(bare.length, MOST_JOINED); n >= 0; n--) {
      var before = n ? bare.slice(-n) : [];
      var column = known.get(called(before.map(function (word) { return word.text; }).concat(one.name).join(" ")));
      if (column && n) {
        one.no = before[0].no;
        words.splice(-n);
      }
      if (column) return column;
    }
  }
  function fault(column, one, known) {
    var about = { name: name(column, known), op: one.op, value: one.value }, more = /[<>]/.test(one.op), value = fold(one.value);
    if (!value) about.kind = "value";
    else if (more && !(column.numbers === undefined ? column.kind === "number" : column.numbers)) about.kind = "words";
    else if (isNaN(number(value)) && (more || column.kind === "number")) about.kind = "number";
    else if (!more && column.choices && !column.choices.some(function (choice) {
      return one.op === ":" ? fold(choice).includes(value) : fold(choice) === value;
    })) {
      about.kind = "choice";
      about.known = column.choices;
      about.near = nearest(value, column.choices.map(function (choice) { return [choice, choice]; }));
    }
    return about.kind && about;
  }
  function unknown(word, columns, known) {
    var written = [];
    known.forEach(function (column, spelled) { written.push([spelled, name(column, known)]); });
    return { kind: "column", name: word, near: nearest(word, written), known: columns.map(function (column) { return name(column, known); }) };
  }
  function name(column, known) {
    /* Return the name to type: the label if it is short, plain and unique, otherwise the key. */
    var label = column.label.trim().toLowerCase().replace(/\s+/g, "-");
    var plain = /^[\p{L}\p{N}]+(-[\p{L}\p{N}]+)*$/u.test(label) && label.length <= LONGEST_NAME;
    return plain && known.get(called(label)) === column ? label : column.key.replace(/_$/, "");
  }
  function nearest(word, spelled) {
    /* From pairs of a spelling and its meaning, return the meaning of the closest spelling, if it is close or begins the same. */
    var asked = called(word), best = "", least = Math.max(1, Math.floor(asked.length / 3)) + 1;
    if (!asked || asked.length > LONGEST_WORD) return "";
    spelled.forEach(function (pair) {
      var to = called(pair[0]), away = to.length > LONGEST_WORD ? least : distance(asked, to);
      if (asked.length > 2 && to.startsWith(asked)) away = Math.min(away, 1);
      if (away < least) { least = away; best = pair[1]; }
    });
    return best;
  }
  function distance(a, b) {
    /* Return the number of extra, missing, wrong or swapped letters. */
    var rows = [];
    for (var i = 0; i <= a.length; i++) {
      rows.push([i]);
      for (var j = 1; j <= b.length; j++) {
        var least = i ? Math.min(rows[i - 1][j] + 1, rows[i][j - 1] + 1, rows[i - 1][j - 1] + (a[i - 1] !== b[j - 1])) : j;
        if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) least = Math.min(least, rows[i - 2][j - 2] + 1);
        rows[i].push(least);
      }
    }
    return rows[a.length][b.length];
  }

  function matches(row, query) {
    var text = fold(row.text);
    return query.words.every(function (word) { return text.includes(fold(word.text)) !== word.no; }) &&
      query.terms.every(function (term) {
        var value = term.key === "name" || term.key === "deck" ? row[term.key]
          : Object.prototype.hasOwnProperty.call(row.values, term.key) ? row.values[term.key] : undefined;
        return value !== undefined && fits(String(value), term) !== term.no;
      });
  }
  function fits(value, term) {
    var x = number(value), y = number(term.value);
    if (term.op === ">") return x > y;
    if (term.op === "<") return x < y;
    if (term.op === ">=") return x >= y;
    if (term.op === "<=") return x <= y;
    if (term.op === ":" && (isNaN(x) || isNaN(y))) return fold(value).includes(fold(term.value));
    var same = isNaN(x) || isNaN(y) ? fold(value) === fold(term.value) : x === y;
    return same === (term.op !== "!=");
  }

  function told(problem, said) {
    function filled(key, more) {
      return (said["cards-" + key] || "").replace(/\{(\w+)\}/g, function (all, name) { return name in more ? more[name] : all; });
    }
    var known = problem.known || [], some = known.slice(0, MOST_TOLD).join(", ") + (known.length > MOST_TOLD ? ", …" : "");
    var more = problem.near ? filled("near", problem) : known.length ? filled("known", { known: some }) : "";
    return filled(problem.kind, problem) + (more && " " + more);
  }

  function decks(game) {
    return window.grimalkinCards[game].decks.map(function (deck) {
      var rows = deck.cards.map(function (card) {
        var values = Object.create(null);
        deck.columns.forEach(function (column, n) { values[column[0]] = String(card[3][n]); });
        return {
          id: card[0], name: card[1], deck: deck.name, values: values,
          text: [card[1]].concat(card[3]).join("\n"),
          face: card[2] ? game + "/faces/" + card[0] + "-front.svg" : "",
          page: game + "/" + deck.page + "#" + card[0]
        };
      });
      var columns = deck.columns.map(function (column) {
        return described({ key: column[0], label: column[1], kind: column[2] }, rows.map(function (row) { return row.values[column[0]]; }));
      });
      return { id: deck.id, name: deck.name, columns: columns, rows: rows };
    });
  }
  function described(column, values) {
    /* Add to a column what its values show about it. */
    column.numbers = column.kind === "number" || values.some(function (value) { return !isNaN(number(value)); });
    if (column.kind === "choice") column.choices = Array.from(new Set(values));
    return column;
  }
  function find(text, all) {
    var names = all.map(function (deck) { return deck.name; });
    var queries = all.map(function (deck) { return parse(text, deck.columns, names); }), rows = [];
    all.forEach(function (deck, n) {
      var stopped = queries[n].problems.some(function (problem) { return problem.kind !== "choice"; });
      if (!stopped) rows = rows.concat(deck.rows.filter(function (row) { return matches(row, queries[n]); }));
    });
    var clear = queries.some(function (query) { return !query.problems.length; });
    var problems = clear ? [] : [].concat.apply([], queries.map(function (query) { return query.problems; }));
    /* A deck with the column has the better message, and a near match is better than a list. */
    function worth(problem) { return 2 * (problem.kind !== "column") + Boolean(problem.near); }
    problems.sort(function (a, b) { return worth(b) - worth(a); });
    return {
      asked: queries.some(function (query) { return query.terms.length + query.problems.length; }),
      rows: rows,
      problems: problems.slice(0, 1)
    };
  }

  window.grimalkin.cards = { parse: parse, matches: matches, told: told, decks: decks, find: find, described: described };
})();

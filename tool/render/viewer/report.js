// Draws a report: registers as rows of bits, the register tree, counters, logs. The data is the JSON in the
// page. Every text of it goes in through textContent, so nothing in it can become markup.
'use strict';
(() => {

// --- elements and texts -----------------------------------------------------------------------------------

// Controls, zero-width characters and changes of writing direction as \uNNNN: what disturbs a line is seen.
const hidden = /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;
const visible = (text) =>
  String(text).replace(hidden, (c) => '\\u' + c.charCodeAt(0).toString(16).padStart(4, '0'));

function el(tag, classes, ...children) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  for (const child of children) {
    if (child === null || child === undefined || child === '') continue;
    made.append(child instanceof Node ? child : visible(child));
  }
  return made;
}

function svg(tag, attributes, text) {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag);
  for (const name of Object.keys(attributes)) made.setAttribute(name, attributes[name]);
  if (text !== undefined) made.textContent = visible(text);
  return made;
}

const byId = (id) => document.getElementById(id);
const orNone = (text) => (text === null || text === undefined || text === '' ? '(none)' : text);

// --- the report -------------------------------------------------------------------------------------------

const data = JSON.parse(byId('report').textContent);
const difference = data.report === 'difference';
const severities = ['', 'ok', 'notice', 'warning', 'critical'];
const rank = (severity) => Math.max(0, severities.indexOf(severity || ''));
const shapes = data.tree ? data.tree.shapes : [];
const rows = data.tree ? data.tree.registers : data.registers;

// A before and an after in one form, whether they are said once or twice.
function values(entry) {
  if ('value' in entry) return { before: difference ? entry.value : null, after: entry.value };
  return { before: entry.before, after: entry.after };
}

// A register of the tree, spelled out like one of data.registers.
function fullRegister(row) {
  if (!data.tree) return row;
  const shape = shapes[row.shape];
  const fields = shape.fields.map((field, i) => {
    const said = row.fields[i];
    return Object.assign({}, field, typeof said === 'string' ? { value: said } : said);
  });
  return Object.assign({}, shape, row, { fields });
}

const definition = (row) => (data.tree ? shapes[row.shape] : row);

function valueText(row) {
  const v = values(row);
  const one = (value, reason) => (value === null || value === undefined ? (reason ? 'not read' : '-') : value);
  const after = one(v.after, row.afterReason || row.reason);
  if (!difference) return after;
  const before = one(v.before, row.beforeReason || row.reason);
  return before === after ? after : before + ' → ' + after;
}

function severityTag(severity) {
  return severity ? el('span', 'sev ' + severities[rank(severity)], severity) : null;
}

// --- a register as a row of bits ----------------------------------------------------------------------------

function toBits(text) {
  return typeof text === 'string' && /^0x[0-9a-f]{1,16}$/i.test(text) ? BigInt(text) : null;
}

function ranges(bits) {
  const parts = [];
  for (let high = 63; high >= 0; --high) {
    if (!(bits >> BigInt(high) & 1n)) continue;
    let low = high;
    while (low > 0 && bits >> BigInt(low - 1) & 1n) --low;
    parts.push(high === low ? String(high) : high + ':' + low);
    high = low;
  }
  return parts.join(', ');
}

const narrow = window.matchMedia('(max-width: 860px)');
const cellWidth = () => (narrow.matches ? 17 : 20);

// Fields may overlap (views of one word): each takes the first line that has room.
function lanes(fields) {
  const taken = [];
  return fields.map((field) => {
    let lane = 0;
    while ((taken[lane] || []).some((other) => field.lsb <= other.msb && other.lsb <= field.msb)) ++lane;
    (taken[lane] = taken[lane] || []).push(field);
    return lane;
  });
}

function place(element, row, column, span) {
  element.style.gridRow = String(row);
  element.style.gridColumn = column + ' / span ' + span;
  return element;
}

function fieldBox(field, high, low) {
  const span = high - low + 1;
  const touched = field.changed || false;
  const box = el('div', 'field');
  if (!field.name) {
    box.classList.add('unnamed');
    return box;
  }
  const fits = field.name.length * 6.7 + 4 <= span * cellWidth();
  if (!fits && span < 4) box.classList.add('upright');
  if (touched) box.classList.add('touched');
  const bits = field.msb === field.lsb ? field.msb : field.msb + ':' + field.lsb;
  box.title = visible(field.name + ' [' + bits + '] ' + orNone(values(field).after) + (touched ? ' (changed)' : ''));
  box.append(el('span', '', field.name));
  return box;
}

// In a difference the rows have names, in a first column of their own.
function strip(reg, high, low) {
  const columns = high - low + 1;
  const shift = difference ? 2 : 1;
  const v = values(reg);
  const before = difference ? toBits(v.before) : null, after = toBits(v.after);
  const changed = reg.changedBits ? BigInt(reg.changedBits) : 0n;
  const made = el('div', 'strip');
  made.style.gridTemplateColumns = (difference ? '2.7rem ' : '') + 'repeat(' + columns + ', minmax(' + cellWidth() + 'px, 1fr))';
  let line = 1;
  for (let bit = high; bit >= low; --bit) made.append(place(el('div', 'num', String(bit)), line, high - bit + shift, 1));
  ++line;
  const both = before !== null && after !== null && changed !== 0n;
  for (const [value, old] of [[both ? before : null, true], [after !== null ? after : before, false]]) {
    if (value === null) continue;
    if (difference) made.append(place(el('div', 'label', both ? (old ? 'before' : 'after') : after === null ? 'before' : ''), line, 1, 1));
    for (let bit = high; bit >= low; --bit) {
      const flip = changed >> BigInt(bit) & 1n;
      const cell = el('div', 'bit' + (old ? ' old' : '') + (flip ? ' flip' : ''), String(value >> BigInt(bit) & 1n));
      made.append(place(cell, line, high - bit + shift, 1));
    }
    ++line;
  }
  const inside = reg.fields.filter((field) => field.lsb <= high && field.msb >= low);
  const laneOf = lanes(inside);
  inside.forEach((field, i) => {
    const top = Math.min(field.msb, high), bottom = Math.max(field.lsb, low);
    made.append(place(fieldBox(field, top, bottom), line + laneOf[i], high - top + shift, top - bottom + 1));
  });
  return made;
}

function strips(reg) {
  const made = el('div', 'strips');
  const changed = reg.changedBits ? ranges(BigInt(reg.changedBits)) : '';
  made.setAttribute('role', 'img');
  made.setAttribute('aria-label', visible('Bits of ' + reg.name + (changed ? '; changed: ' + changed : '')));
  const most = narrow.matches ? 16 : 32;
  for (let high = reg.width - 1; high >= 0; high -= most) made.append(strip(reg, high, Math.max(0, high - most + 1)));
  return made;
}

function fieldTable(reg) {
  const named = reg.fields.filter((field) => field.name);
  if (named.length === 0) return null;
  const body = el('tbody');
  for (const field of named) {
    const v = values(field);
    const changed = difference && (field.changed || v.before !== v.after);
    const one = (text, reason) => (text ? text : reason || reg.reason ? 'not read' : '(none)');
    const after = one(v.after, reg.afterReason), before = one(v.before, reg.beforeReason);
    const shown = changed ? before + ' → ' + after : after;
    body.append(el('tr', changed ? 'changed' : '',
      el('td', 'mono dim', field.msb === field.lsb ? String(field.msb) : field.msb + ':' + field.lsb),
      el('td', 'mono', field.name), el('td', 'mono', shown),
      el('td', '', severityTag(field.severity)), el('td', '', changed ? '▲ changed' : '')));
  }
  const head = el('tr', '', ...['Bits', 'Field', difference ? 'Before → after' : 'Value', '', ''].map((name) => el('th', '', name)));
  return el('div', 'wide', el('table', 'fields', el('thead', '', head), body));
}

function card(reg) {
  const about = el('div', 'about', severityTag(reg.severity), el('span', 'value', valueText(reg)),
    el('span', '', reg.space + ' ' + reg.offset), el('span', '', reg.width + ' bits, ' + reg.volatility));
  if (reg.changedBits) about.append(el('span', 'mark', '▲ changed bits: ' + ranges(BigInt(reg.changedBits))));
  if (reg.moving) about.append(el('span', '', '~ moves by itself'));
  if (reg.noise) about.append(el('span', '', 'noise'));
  const reasons = [];
  if (reg.reason) reasons.push('not read: ' + reg.reason);
  if (reg.beforeReason) reasons.push('before, not read: ' + reg.beforeReason);
  if (reg.afterReason) reasons.push('after, not read: ' + reg.afterReason);
  return el('article', 'card', el('h3', '', reg.name), reg.title ? el('p', '', reg.title) : null, about,
    ...reasons.map((reason) => el('p', 'dim', reason)), reg.remark ? el('p', '', reg.remark) : null,
    strips(reg), fieldTable(reg));
}

// --- long lists: a page at a time ---------------------------------------------------------------------------

// `make(entry)` gives a child of `parent`. Returns how to show more, until nothing is left.
function paged(parent, entries, make, size, what) {
  const button = el('button');
  button.type = 'button';
  const holder = el('p', 'more', button);
  let shown = 0;
  const showMore = (count) => {
    const piece = document.createDocumentFragment();
    for (const end = Math.min(entries.length, shown + count); shown < end; ++shown) piece.append(make(entries[shown], shown));
    parent.append(piece);
    holder.hidden = shown === entries.length;
    button.textContent = 'Show ' + Math.min(size, entries.length - shown) + ' more of ' + (entries.length - shown) + ' ' + what;
  };
  button.addEventListener('click', () => showMore(size));
  showMore(size);
  return { holder, showMore, upTo: (index) => { if (index >= shown) showMore(index + 1 - shown); } };
}

const forPrint = [];

function showFindings() {
  if (data.registers.length === 0) return;
  const pages = paged(byId('cards'), data.registers, card, 50, 'registers');
  byId('cards').after(pages.holder);
  byId('finding-lines').hidden = true;
  forPrint.push(() => pages.upTo(Math.min(data.registers.length, 300) - 1));
}

// --- counters -----------------------------------------------------------------------------------------------

function counterNotes(counter) {
  const notes = [];
  if (counter.reset) notes.push('reset: it went backwards');
  if (counter.stalled) notes.push('stands still');
  if (counter.wrapped) notes.push('wrapped');
  if (counter.remark) notes.push(counter.remark);
  return notes.join(', ');
}

function counterRow(counter, moved) {
  const v = values(counter);
  const cell = (text) => el('td', 'number mono', text);
  return el('tr', counter.noise ? 'noise' : '', el('td', 'mono', counter.name), el('td', '', counter.source),
    ...(difference ? [cell(orNone(v.before))] : []), cell(orNone(v.after)),
    ...(moved ? [cell(counter.delta), cell(counter.rate)] : []),
    el('td', '', severityTag(counter.severity)), el('td', '', counterNotes(counter)));
}

function counterTable(section, title, list) {
  if (list.length === 0) return;
  const moved = list.some((counter) => counter.delta || counter.rate);
  const names = ['Name', 'Source', ...(difference ? ['Before', 'After'] : ['Value']), ...(moved ? ['Moved', 'Rate'] : []), '', 'Notes'];
  const numbers = ['Before', 'After', 'Value', 'Moved', 'Rate'];
  const body = el('tbody');
  section.append(el('h2', '', title + ' ', el('span', 'count', '(' + list.length + ')')));
  const pages = paged(body, list, (counter) => counterRow(counter, moved), 300, 'counters');
  section.append(el('div', 'wide', el('table', '', el('thead', '', el('tr', '',
    ...names.map((name) => el('th', numbers.includes(name) ? 'number' : '', name)))), body)), pages.holder);
  forPrint.push(() => pages.upTo(Math.min(list.length, 1000) - 1));
}

function showCounters() {
  const section = byId('counters');
  counterTable(section, 'Counters', data.counters.filter((counter) => !counter.index));
  counterTable(section, 'Indices', data.counters.filter((counter) => counter.index));
  section.hidden = section.childElementCount === 0;
}

// --- logs ---------------------------------------------------------------------------------------------------

const logRank = { critical: 4, error: 4, warning: 3, notice: 2 };
const logSeverity = (record) => (record.gap ? 3 : logRank[record.severity] || 0);

function logRow(record) {
  const word = record.gap ? 'lost' : record.severity || '';
  const cell = (classes, text) => el('td', (text || '').length < 24 ? classes + ' short' : classes, text);
  return el('tr', '', cell('dim', record.time), cell(severities[logSeverity(record)], word), cell('dim', record.source), ...(difference ? [el('td', '', record.fresh ? 'new' : '')] : []), el('td', '', record.text));
}

const buckets = 120;

// Bars of records over time: as tall as they are many, coloured like the worst of them.
function timeline(records, go) {
  const timed = records.map((record, index) => ({ record, index })).filter((entry) => entry.record.nanoseconds !== undefined);
  if (timed.length < 2) return null;
  let first = Infinity, last = -Infinity;
  for (const entry of timed) {
    first = Math.min(first, entry.record.nanoseconds);
    last = Math.max(last, entry.record.nanoseconds);
  }
  if (first === last) return null;
  const bars = [];
  for (const entry of timed) {
    const at = Math.min(buckets - 1, Math.floor((entry.record.nanoseconds - first) / (last - first) * buckets));
    const bar = bars[at] = bars[at] || { count: 0, worst: 0, index: entry.index, fresh: 0 };
    ++bar.count;
    bar.fresh += entry.record.fresh ? 1 : 0;
    bar.worst = Math.max(bar.worst, logSeverity(entry.record));
  }
  const most = bars.reduce((top, bar) => Math.max(top, bar ? bar.count : 0), 1);
  const made = svg('svg', { class: 'timeline', viewBox: '0 0 1200 74', preserveAspectRatio: 'none', role: 'img' });
  const seconds = (ns) => (ns / 1e9).toFixed(3) + ' s';
  made.setAttribute('aria-label', 'Records from ' + seconds(first) + ' to ' + seconds(last) + ' since boot');
  bars.forEach((bar, at) => {
    const height = 10 + 40 * Math.log(1 + bar.count) / Math.log(1 + most);
    const rect = svg('rect', { x: at * 10 + 1, y: 56 - height, width: 8, height, class: severities[bar.worst] });
    rect.append(svg('title', {}, bar.count + ' records from ' + seconds(first + (last - first) * at / buckets) +
      (bar.worst ? ', worst: ' + severities[bar.worst] : '') + (bar.fresh ? ', new: ' + bar.fresh : '')));
    rect.addEventListener('click', () => go(bar.index));
    made.append(rect);
    if (bar.worst >= 3) made.append(svg('rect', { x: at * 10 + 1, y: 59, width: 8, height: bar.worst === 4 ? 12 : 5, class: severities[bar.worst] }));
  });
  made.append(svg('line', { class: 'axis', x1: 0, x2: 1200, y1: 57, y2: 57 }));
  const ends = el('div', 'ends dim', el('span', '', seconds(first)),
    el('span', '', 'below the line: short for a warning, long for an error'), el('span', '', seconds(last)));
  return el('div', '', made, ends);
}

function drawLogs(holder, records) {
  const body = el('tbody');
  const pages = paged(body, records, logRow, 300, 'records');
  const go = (index) => {
    pages.upTo(index);
    body.children[index].scrollIntoView({ block: 'center' });
  };
  holder.replaceChildren(timeline(records, go) || '', el('div', 'wide', el('table', 'log', body)), pages.holder);
  return pages;
}

function showLogs() {
  if (data.logs.length === 0 && !data.logSummary) return;
  const section = byId('logs');
  section.hidden = false;
  section.append(el('h2', '', 'Logs ', el('span', 'count', '(' + data.logs.length + ')')));
  if (data.logSummary) section.append(el('p', '', data.logSummary));
  if (data.logs.length === 0) return;
  const choice = el('select');
  choice.setAttribute('aria-label', 'Which log records');
  const kinds = [['all records', () => true], ['warnings and worse', (record) => logSeverity(record) >= 3]];
  if (difference) kinds.push(['new records', (record) => record.fresh]);
  for (const [name] of kinds) choice.append(el('option', '', name));
  const holder = el('div');
  let pages = null;
  const draw = () => { pages = drawLogs(holder, data.logs.filter(kinds[choice.selectedIndex][1])); };
  choice.addEventListener('change', draw);
  section.append(el('div', 'tools', choice), holder);
  draw();
  forPrint.push(() => pages.upTo(Math.min(data.logs.length, 1000) - 1));
}

// --- the register tree --------------------------------------------------------------------------------------
// A node is a space or a block. Children, and the lines that are shown, are numbers: registers as they are,
// nodes as ~number. Only the lines in sight are elements.

const nodes = [];
const rowHeight = 24;
const tree = { lines: [], current: 0, box: null, room: null, matches: null, detail: null, status: null };

function addNode(name, level, parent) {
  nodes.push({ name, level, parent, children: [], open: false, registers: 0, worth: 0, found: 0 });
  if (parent >= 0) nodes[parent].children.push(~(nodes.length - 1));
  return nodes.length - 1;
}

const parentOf = [], placeOf = []; // of each register: its node, and the how manyth it is there

function buildTree() {
  const spaces = new Map(), blocks = new Map();
  rows.forEach((row, i) => {
    const about = definition(row);
    const space = about.space || '';
    if (!spaces.has(space)) spaces.set(space, addNode(space || '(no space)', 1, -1));
    let parent = spaces.get(space);
    ++nodes[parent].registers;
    const dot = row.name.lastIndexOf('.');
    const block = dot > 0 ? row.name.slice(0, dot) : about.group || '';
    if (block) {
      const key = space + '\n' + block;
      if (!blocks.has(key)) blocks.set(key, addNode(block, 2, parent));
      parent = blocks.get(key);
      ++nodes[parent].registers;
    }
    nodes[parent].children.push(i);
    placeOf.push(nodes[parent].children.length);
    parentOf.push(parent);
    if (worthSeeing(row)) for (let node = parent; node >= 0; node = nodes[node].parent) ++nodes[node].worth;
  });
  nodes.forEach((node) => { node.open = node.level === 1 ? nodes.length < 400 : rows.length <= 200; });
  if (nodes.length > 0) nodes[0].open = true;
}

function addLines(children, lines) {
  for (const child of children) {
    if (child >= 0) {
      if (!tree.matches || tree.matches[child]) lines.push(child);
      continue;
    }
    const node = nodes[~child];
    if (tree.matches && node.found === 0) continue;
    lines.push(child);
    if (node.open || tree.matches) addLines(node.children, lines);
  }
}

function layTree(keep) {
  const lines = [];
  addLines(nodes.map((node, i) => (node.level === 1 ? ~i : null)).filter((id) => id !== null), lines);
  tree.lines = lines;
  tree.room.style.height = lines.length * rowHeight + 'px';
  const at = keep === undefined ? -1 : lines.indexOf(keep);
  tree.current = Math.max(0, Math.min(at < 0 ? 0 : at, lines.length - 1));
  drawTree();
}

function nodeLine(node) {
  const open = node.open || tree.matches !== null;
  const count = tree.matches ? node.found + ' of ' + node.registers : node.registers;
  const made = el('div', 'row node', el('span', 'name', (open ? '▾ ' : '▸ ') + node.name),
    node.worth ? el('span', 'mark', (difference ? '▲ ' : '! ') + node.worth) : null, el('span', 'dim', String(count)));
  made.setAttribute('aria-expanded', String(open));
  return made;
}

function registerLine(row) {
  const block = row.name.lastIndexOf('.');
  const flags = el('span', 'flags');
  if (row.changed || row.changedBits) flags.append(el('span', 'mark', '▲'));
  if (row.moving) flags.append(' ~');
  if (rank(row.severity) > 1) flags.append(' ', severityTag(row.severity));
  return el('div', 'row reg' + (row.noise ? ' noise' : ''), el('span', 'name', block > 0 ? row.name.slice(block + 1) : row.name),
    el('span', 'val', valueText(row)), flags);
}

function treeLine(at) {
  const id = tree.lines[at];
  const node = id < 0 ? nodes[~id] : null;
  const made = node ? nodeLine(node) : registerLine(rows[id]);
  const level = node ? node.level : nodes[parentOf[id]].level + 1;
  made.id = 'line-' + at;
  made.style.top = at * rowHeight + 'px';
  made.style.paddingLeft = level * 14 - 6 + 'px';
  made.title = visible(node ? node.name : rows[id].name + '  ' + rows[id].offset + '  ' + valueText(rows[id]) +
    (rows[id].changedBits ? '  changed bits ' + ranges(BigInt(rows[id].changedBits)) : ''));
  made.setAttribute('role', 'treeitem');
  made.setAttribute('aria-level', String(level));
  if (!node && !tree.matches) {
    made.setAttribute('aria-posinset', String(placeOf[id]));
    made.setAttribute('aria-setsize', String(nodes[parentOf[id]].children.length));
  }
  made.setAttribute('aria-selected', String(at === tree.current));
  made.addEventListener('click', () => {
    choose(at);
    if (node && !tree.matches) toggle(node, !node.open);
  });
  return made;
}

function drawTree() {
  const first = Math.max(0, Math.floor(tree.box.scrollTop / rowHeight) - 10);
  const last = Math.min(tree.lines.length, Math.ceil((tree.box.scrollTop + tree.box.clientHeight) / rowHeight) + 10);
  const piece = document.createDocumentFragment();
  for (let at = first; at < last; ++at) piece.append(treeLine(at));
  tree.room.replaceChildren(piece);
  if (tree.current >= first && tree.current < last) {
    tree.box.setAttribute('aria-activedescendant', 'line-' + tree.current);
  } else {
    tree.box.removeAttribute('aria-activedescendant');
  }
}

const worthSeeing = (row) => Boolean(row.changed || row.changedBits || rank(row.severity) > 1);

// What is in a space or a block: how much, and its registers, those that are worth seeing first.
function nodeCard(node) {
  const inside = [];
  const gather = (children) => {
    for (const child of children) {
      if (child < 0) gather(nodes[~child].children);
      else if (!tree.matches || tree.matches[child]) inside.push(rows[child]);
    }
  };
  gather(node.children);
  const first = inside.filter(worthSeeing), rest = inside.filter((row) => !worthSeeing(row));
  const unread = inside.filter((row) => row.reason || row.beforeReason || row.afterReason).length;
  const counts = [inside.length + (inside.length === 1 ? ' register' : ' registers')];
  if (first.length) counts.push(first.length + (difference ? ' changed or worth a look' : ' worth a look'));
  if (unread) counts.push(unread + ' not read');
  const body = el('tbody');
  const pages = paged(body, first.concat(rest), (row) => el('tr', '', el('td', 'mono', row.name), el('td', 'mono dim', row.offset),
    el('td', 'mono', valueText(row)), el('td', '', row.changedBits ? '▲ changed' : ''), el('td', '', severityTag(row.severity))), 100, 'registers');
  return el('article', 'card', el('h3', '', node.name), el('div', 'about', counts.join(', ')),
    el('div', 'wide', el('table', 'fields', body)), pages.holder);
}

function showDetail() {
  const id = tree.lines[tree.current];
  if (id === undefined) tree.detail.replaceChildren(el('p', 'dim', 'Nothing is found.'));
  else tree.detail.replaceChildren(id >= 0 ? card(fullRegister(rows[id])) : nodeCard(nodes[~id]));
}

function choose(at) {
  tree.current = Math.max(0, Math.min(at, tree.lines.length - 1));
  const top = tree.current * rowHeight;
  if (top < tree.box.scrollTop) tree.box.scrollTop = top;
  if (top + rowHeight > tree.box.scrollTop + tree.box.clientHeight) tree.box.scrollTop = top + rowHeight - tree.box.clientHeight;
  drawTree();
  showDetail();
}

function toggle(node, open) {
  node.open = open;
  layTree(~nodes.indexOf(node));
}

function inOrOut(open) {
  const id = tree.lines[tree.current];
  const node = id < 0 ? nodes[~id] : null;
  if (node && !tree.matches && node.open !== open && node.children.length > 0) {
    toggle(node, open);
  } else if (open) {
    if (node) choose(tree.current + 1);
  } else {
    const parent = node ? node.parent : parentOf[id];
    if (parent >= 0) choose(tree.lines.indexOf(~parent));
  }
}

function treeKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || tree.lines.length === 0) return;
  const page = Math.max(1, Math.floor(tree.box.clientHeight / rowHeight) - 1);
  const moves = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
  if (event.key in moves) choose(tree.current + moves[event.key]);
  else if (event.key === 'ArrowRight') inOrOut(true);
  else if (event.key === 'ArrowLeft') inOrOut(false);
  else if (event.key === 'Enter' || event.key === ' ') {
    const id = tree.lines[tree.current];
    if (id < 0 && !tree.matches) toggle(nodes[~id], !nodes[~id].open);
  } else return;
  event.preventDefault();
}

// --- search -------------------------------------------------------------------------------------------------

const kinds = [
  ['all registers', () => true],
  ...(difference ? [['changed', (row) => Boolean(row.changed || row.changedBits)]] : []),
  ['deserve a look', (row) => rank(row.severity) > 1],
  ['not read', (row) => Boolean(row.reason || row.beforeReason || row.afterReason)],
];

const shapeTexts = [];

function shapeText(row) {
  if (!data.tree) return (fieldText(row.fields) + '\n' + (row.title || '') + '\n' + row.space).toLowerCase();
  if (shapeTexts[row.shape] === undefined) {
    const shape = shapes[row.shape];
    shapeTexts[row.shape] = ((shape.title || '') + '\n' + shape.space + '\n' + (shape.group || '') + '\n' +
      shape.fields.map((field) => field.name).join('\n')).toLowerCase();
  }
  return shapeTexts[row.shape];
}

function fieldText(fields) {
  let text = '';
  for (const field of fields || []) {
    if (typeof field === 'string') text += '\n' + field;
    else text += '\n' + (field.name || '') + '\n' + (field.value || '') + '\n' + (field.before || '') + '\n' + (field.after || '');
  }
  return text;
}

function matches(row, terms) {
  const own = (row.name + '\n' + row.offset + '\n' + valueText(row) + fieldText(row.fields)).toLowerCase();
  const shared = shapeText(row);
  return terms.every((term) => own.includes(term) || shared.includes(term));
}

let searching = 0; // counts searches: an older one stops when a newer begins

function search(text, kind) {
  const mine = ++searching;
  const terms = text.toLowerCase().split(/\s+/).filter((term) => term !== '');
  const keep = tree.lines[tree.current];
  if (terms.length === 0 && kind === 0) {
    tree.matches = null;
    tree.status.textContent = '';
    layTree(keep);
    choose(tree.current);
    return;
  }
  const found = new Uint8Array(rows.length);
  let at = 0, count = 0;
  nodes.forEach((node) => { node.found = 0; });
  const step = () => {
    if (mine !== searching) return;
    const until = performance.now() + 12;
    for (; at < rows.length && (at % 256 !== 0 || performance.now() < until); ++at) {
      if (!kinds[kind][1](rows[at]) || !matches(rows[at], terms)) continue;
      found[at] = 1;
      ++count;
      for (let node = parentOf[at]; node >= 0; node = nodes[node].parent) ++nodes[node].found;
    }
    if (at < rows.length) {
      tree.status.textContent = 'searching: ' + count + ' so far';
      setTimeout(step, 0);
      return;
    }
    tree.matches = found;
    tree.status.textContent = count + ' of ' + rows.length + ' registers';
    tree.box.scrollTop = 0;
    layTree(keep);
    const first = tree.lines.findIndex((id) => id >= 0);
    choose(keep >= 0 && tree.lines[tree.current] === keep ? tree.current : first);
  };
  step();
}

function searchTools(section) {
  const box = el('input');
  box.type = 'search';
  box.id = 'search';
  box.placeholder = 'Search registers, fields, values ( / )';
  box.setAttribute('aria-label', 'Search registers, fields and values');
  box.autocomplete = 'off';
  box.spellcheck = false;
  const choice = el('select');
  choice.id = 'kind';
  choice.setAttribute('aria-label', 'Which registers');
  for (const [name] of kinds) choice.append(el('option', '', name));
  tree.status = el('span', 'dim');
  tree.status.id = 'found';
  tree.status.setAttribute('role', 'status');
  let timer = 0;
  const start = () => search(box.value, choice.selectedIndex);
  box.addEventListener('input', () => {
    clearTimeout(timer);
    timer = setTimeout(start, rows.length > 5000 ? 120 : 0);
  });
  box.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      box.value = '';
      start();
    } else if (event.key === 'ArrowDown' || event.key === 'Enter') {
      tree.box.focus();
    } else return;
    event.preventDefault();
  });
  choice.addEventListener('change', start);
  section.append(el('div', 'tools', box, choice, tree.status));
}

function showRegisters() {
  if (rows.length === 0) return;
  const section = byId('registers');
  section.hidden = false;
  section.append(el('h2', '', data.tree ? 'All registers ' : 'Registers of this report ', el('span', 'count', '(' + rows.length + ')')));
  searchTools(section);
  tree.room = el('div', 'room');
  tree.room.setAttribute('role', 'presentation');
  tree.box = el('div', 'tree', tree.room);
  tree.box.tabIndex = 0;
  tree.box.setAttribute('role', 'tree');
  tree.box.setAttribute('aria-label', 'Registers');
  tree.detail = el('div', 'detail');
  tree.detail.setAttribute('role', 'region');
  tree.detail.setAttribute('aria-label', 'The chosen register');
  section.append(el('div', 'panes', tree.box, tree.detail));
  buildTree();
  let waiting = false;
  tree.box.addEventListener('scroll', () => {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; drawTree(); });
  });
  tree.box.addEventListener('keydown', treeKey);
  window.addEventListener('resize', drawTree);
  narrow.addEventListener('change', showDetail);
  const start = Math.max(0, rows.findIndex(worthSeeing));
  for (let node = parentOf[start]; node >= 0; node = nodes[node].parent) nodes[node].open = true;
  layTree(start);
  choose(tree.current);
}

// --- the page -----------------------------------------------------------------------------------------------

function showNavigation() {
  for (const section of document.querySelectorAll('main > section')) {
    const heading = section.querySelector('h2');
    if (!heading || section.hidden) continue;
    const link = el('a', '', heading.firstChild.textContent.trim());
    link.href = '#' + section.id;
    link.addEventListener('click', () => {
      const fold = section.querySelector('details');
      if (fold) fold.open = true;
    });
    byId('nav').append(link);
  }
}

function showTheme() {
  const button = el('button', '', 'Light / dark');
  button.type = 'button';
  button.id = 'theme';
  const root = document.documentElement;
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const flip = () => {
    const now = root.dataset.theme || (dark.matches ? 'dark' : 'light');
    root.dataset.theme = now === 'dark' ? 'light' : 'dark';
  };
  button.addEventListener('click', flip);
  byId('controls').append(button);
  return flip;
}

function pageKeys(flip) {
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    if (event.key === '/' && byId('search')) {
      byId('search').focus();
      byId('search').select();
      event.preventDefault();
    } else if (event.key === 't') flip();
  });
}

function openForPrint() {
  const folds = () => document.querySelectorAll('details');
  window.addEventListener('beforeprint', () => {
    forPrint.forEach((open) => open());
    for (const fold of folds()) {
      fold.dataset.was = fold.open ? 'open' : '';
      fold.open = true;
    }
  });
  window.addEventListener('afterprint', () => { for (const fold of folds()) fold.open = fold.dataset.was === 'open'; });
}

showFindings();
showCounters();
showLogs();
showRegisters();
showNavigation();
pageKeys(showTheme());
openForPrint();
document.documentElement.dataset.ready = String(Math.round(performance.now()));

})();

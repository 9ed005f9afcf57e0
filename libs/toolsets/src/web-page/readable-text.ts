const UNSEEN =
  /<(script|style|noscript|template|svg|head)\b[^>]*>[\s\S]*?<\/\1\s*>|<!--[\s\S]*?-->|<!doctype[^>]*>/gi;
const BLOCKS =
  /<\/?(address|article|blockquote|br|dd|div|dl|dt|footer|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|table|td|th|tr|ul)\b[^>]*>/gi;
const TAG = /<\/?[a-z][^>]*>/gi;
const ENTITY = /&(#x[\da-f]{1,6}|#\d{1,7}|amp|lt|gt|quot|apos|nbsp);/gi;
const NAMED: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
};

/** What a reader sees of a page, a line for each block. For a model to read: not safe as HTML. */
export function readableText(html: string): string {
  const text = html
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(BLOCKS, '\n')
    .replaceAll(TAG, '');
  const lines = text.replaceAll(ENTITY, decoded).split('\n');
  return lines
    .map((line) => line.trim())
    .filter(Boolean)
    .join('\n');
}

function decoded(entity: string, name: string): string {
  if (!name.startsWith('#')) return NAMED[name.toLowerCase()] ?? entity;
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  return code <= 0x10_ff_ff ? String.fromCodePoint(code) : entity;
}

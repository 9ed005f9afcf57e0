/** What a reference as "#/anyOf/0/properties/a" leads to in a document; nothing where it leads nowhere, or elsewhere. */
export function pointedAt(reference: unknown, document: object): unknown {
  if (typeof reference !== 'string' || !reference.startsWith('#/')) return undefined;
  let place: unknown = document;
  for (const name of reference.slice(2).split('/')) {
    const key = name.replaceAll('~1', '/').replaceAll('~0', '~');
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, key)) return undefined;
    place = Reflect.get(place, key);
  }
  return place;
}

import { type ReceivedSpan } from '../support/otlp-receiver';

/**
 * A trace as lines of text, the same on every run: children below their parents in the order of their names and of what
 * is below them. A line reads `name [kind service] → name of a linked span ! error`.
 */
export function treeOf(spans: readonly ReceivedSpan[]): string[] {
  const names = new Map(
    spans.map(({ spanId, name, service }) => [spanId, `${name} of ${shortName(service)}`]),
  );
  const below = (parentId: string): string[][] =>
    spans
      .filter(({ parentSpanId }) => parentSpanId === parentId)
      .map((span) => [
        lineOf(span, names),
        ...below(span.spanId)
          .flat()
          .map((line) => `  ${line}`),
      ])
      .sort((one, other) => (one.join('\n') < other.join('\n') ? -1 : 1));
  return below('').flat();
}

function lineOf(span: ReceivedSpan, names: ReadonlyMap<string, string>): string {
  const { name, kind, service, links, error } = span;
  const linked = links.map(({ spanId }) => ` → ${names.get(spanId) ?? 'another trace'}`);
  return `${name} [${kind} ${shortName(service)}]${linked.join('')}${error === undefined ? '' : ` ! ${error}`}`;
}

function shortName(service: string): string {
  return service.replace('skein-', '');
}

/**
 * Without what depends on time: how many units the run was stored in, how often the gateway looked after it, statements, and
 * which ways the run and its results were tried on before one led somewhere.
 */
export function essential(spans: readonly ReceivedSpan[]): ReceivedSpan[] {
  const isLeftOut = ({ name, parentSpanId }: ReceivedSpan): boolean =>
    /^(append|rpc\.session\.(append|claim|events|invocation)|event |pg\.query|work|queue|run |answer$|result )/.test(
      name,
    ) && parentSpanId !== '';
  return spans
    .filter((span) => !isLeftOut(span))
    .map((span) => ({ ...span, links: span.links.filter(isWithin) }));

  function isWithin({ spanId }: { readonly spanId: string }): boolean {
    const linked = spans.find((span) => span.spanId === spanId);
    return linked !== undefined && !isLeftOut(linked);
  }
}

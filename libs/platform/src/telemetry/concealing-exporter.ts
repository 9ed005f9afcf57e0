import { type Attributes, type AttributeValue } from '@opentelemetry/api';
import { type tracing } from '@opentelemetry/sdk-node';
import { type Conceal } from './conceal';

type Span = tracing.ReadableSpan;

/** Never sent, whatever put them there. */
const NEVER =
  /^(url\.query|db\.(postgresql\.values|query\.parameter\..*)|http\.(request|response)\.header\..*)$/;
/** A path with its query, without a host before it. */
const PATHS = new Set(['http.target', 'url.path']);

/** Every span passes here on its way out, ours and those of instrumentations: the last place to keep a secret in. */
export function concealing(exporter: tracing.SpanExporter, conceal: Conceal): tracing.SpanExporter {
  return {
    export: (spans, done) =>
      exporter.export(
        spans.map((span) => concealed(span, conceal)),
        done,
      ),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

/** The span as it was, with other texts. It is not changed: other processors may hold it. */
function concealed(span: Span, conceal: Conceal): Span {
  const { message } = span.status;
  const texts = {
    attributes: concealedAttributes(span.attributes, conceal),
    status: message === undefined ? span.status : { ...span.status, message: conceal(message) },
    events: span.events.map((event) => ({
      ...event,
      attributes: concealedAttributes(event.attributes ?? {}, conceal),
    })),
    links: span.links.map((link) => ({
      ...link,
      attributes: concealedAttributes(link.attributes ?? {}, conceal),
    })),
  };
  // A class with methods and getters: what is not named here is the span's own.
  return Object.create(
    span,
    Object.fromEntries(Object.entries(texts).map(([name, value]) => [name, { value }])),
  ) as Span;
}

function concealedAttributes(attributes: Attributes, conceal: Conceal): Attributes {
  return Object.fromEntries(
    Object.entries(attributes)
      .filter(([name]) => !NEVER.test(name))
      .map(([name, value]) => [name, PATHS.has(name) ? pathOf(value) : concealedValue(value, conceal)]),
  );
}

function pathOf(value: AttributeValue | undefined): AttributeValue | undefined {
  return typeof value === 'string' ? value.split('?', 1)[0] : value;
}

function concealedValue(value: AttributeValue | undefined, conceal: Conceal): AttributeValue | undefined {
  if (typeof value === 'string') return conceal(value);
  if (!Array.isArray(value)) return value;
  // Of one type, as the API has it: texts, or none.
  return value.map((entry: unknown) =>
    typeof entry === 'string' ? conceal(entry) : entry,
  ) as AttributeValue;
}

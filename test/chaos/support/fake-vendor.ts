import { type Behaviour, type Break, geminiDialect, type Heard, ProviderServer } from '@skein/testing';

const MODEL = 'gemini-fake';
const API_KEY = 'a key';

const FINE: Behaviour = { says: { parts: [{ text: 'Fine.' }] } };
const STORM: Behaviour = { refuses: 'rate-limited' };
const HANG: Behaviour = { hangs: true };
const NO_JSON: Behaviour = {
  replies: (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"candidates": [{"cont');
  },
};

/** What the vendor does, by what the user said; `nth` counts from 1 how often that was. */
const faults: Readonly<Record<string, (nth: number) => Behaviour>> = {
  calm: () => FINE,
  'storm twice': (nth) => (nth <= 2 ? STORM : FINE),
  storm: () => STORM,
  overloaded: () => ({ refuses: 'overloaded' }),
  hang: () => HANG,
  'hang once': (nth) => (nth > 1 ? FINE : HANG),
  'hang in the middle': () => broken('hang'),
  truncated: () => broken('cut'),
  'bad json': () => NO_JSON,
};

/** Gemini's API, which fails as it is told. */
export class FakeVendor {
  /** How often each was asked. */
  readonly requests = new Map<string, number>();

  private constructor(readonly server: ProviderServer) {
    server.otherwise = (request) => this.#answer(server.dialect.hear(request));
  }

  static async start(): Promise<FakeVendor> {
    return new FakeVendor(await ProviderServer.start(geminiDialect, MODEL, API_KEY));
  }

  #answer({ turns }: Heard): Behaviour {
    const part = turns.at(-1)?.parts.at(-1);
    const said = part && 'text' in part ? part.text : '';
    const nth = (this.requests.get(said) ?? 0) + 1;
    this.requests.set(said, nth);
    return (faults[said] ?? (() => FINE))(nth);
  }
}

function broken(how: Break['how']): Behaviour {
  return { ...FINE, breaks: { at: 'begun', how } };
}

import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A provider over real HTTP: it calls the tool it is offered, and once that has answered says a word. */
export async function startGeminiStub(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      void answerTo(Buffer.concat(chunks).toString()).then((answer) => {
        response.setHeader('content-type', 'application/json');
        response.end(JSON.stringify(answer));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Of a server that listens on a port it is never a path.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

interface Request {
  readonly tools?: readonly { readonly functionDeclarations?: readonly { readonly name: string }[] }[];
}

/** As slow as a quick model, so that a picture shows it. */
const THINKS_MS = 120;

async function answerTo(body: string): Promise<object> {
  await pause(THINKS_MS);
  // What the client sends is checked by the models' own specs.
  const [tool] = (JSON.parse(body) as Request).tools?.[0]?.functionDeclarations ?? [];
  const isAnswered = body.includes('functionResponse');
  const part =
    isAnswered || !tool
      ? { text: 'The Alte Post has a room.' }
      : { functionCall: { name: tool.name, args: {} } };
  return {
    candidates: [{ content: { role: 'model', parts: [part] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 61, candidatesTokenCount: 9, totalTokenCount: 70 },
    modelVersion: 'gemini-2.5-flash',
  };
}

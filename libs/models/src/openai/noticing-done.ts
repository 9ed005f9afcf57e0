const DONE = /[\r\n]data:[ ]?\[DONE\]/;
/** More than the mark is long, with the end of the line before it. */
const TAIL_LENGTH = 16;

/**
 * A `fetch` that notices the mark at the end of a stream: the SDK ends there without a word of it, as it does where a server
 * that breaks down closes the connection in order.
 */
export function noticingDone(ask: typeof fetch): { fetch: typeof fetch; isDone: () => boolean } {
  let isDone = false;
  const noticing: typeof fetch = async (input, init) => {
    const response = await ask(input, init);
    if (!response.body) return response;
    const decoder = new TextDecoder();
    // The first line begins as any other does.
    let tail = '\n';
    const noticed = new TransformStream<Uint8Array, Uint8Array>({
      transform: (bytes, controller) => {
        const text = tail + decoder.decode(bytes, { stream: true });
        isDone ||= DONE.test(text);
        tail = text.slice(-TAIL_LENGTH);
        controller.enqueue(bytes);
      },
    });
    return new Response(response.body.pipeThrough(noticed), response);
  };
  return { fetch: noticing, isDone: () => isDone };
}

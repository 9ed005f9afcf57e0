/** As engine and providers take them. */
const NAME = /^[a-zA-Z_][\w.:-]{0,127}$/;
/** The framework's own: a server with one of them would speak in its place. */
const RESERVED = /^(adk_.*|transfer_to_agent|set_model_response)$/;

/** The name a model knows a server's tool by; nothing where there is none. Signs no provider takes become `_`. */
export function nameForModel(name: string, prefix: string | undefined): string | undefined {
  const prefixed = prefix ? `${prefix}_${name}` : name;
  const plain = prefixed.replaceAll(/[^\w.:-]/g, '_');
  const chosen = /^[a-zA-Z_]/.test(plain) ? plain : `_${plain}`;
  return name !== '' && NAME.test(chosen) && !RESERVED.test(chosen) ? chosen : undefined;
}

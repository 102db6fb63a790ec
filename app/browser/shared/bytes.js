/* Bytes as the server writes them into text. */

/** Return the bytes of base64. A loop, because `Uint8Array.from` takes more than ten times as long. @param {string} text */
export function bytesOf(text) {
  const signs = atob(text);
  const bytes = new Uint8Array(signs.length);
  for (let i = 0; i < signs.length; i++) bytes[i] = signs.charCodeAt(i);
  return bytes;
}

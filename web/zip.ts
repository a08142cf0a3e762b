// Files as one archive: a ZIP without compression, which every system opens. Format: PKWARE's APPNOTE, sections 4.3.7, 4.3.12, 4.3.16.

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let bit = 0; bit < 8; bit++) c = c & 1 ? 0xEDB88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function crc32(bytes: Uint8Array): number {
  let c = 0xFFFFFFFF;
  for (const byte of bytes) c = (table[(c ^ byte) & 255] ?? 0) ^ (c >>> 8);
  return (c ^ 0xFFFFFFFF) >>> 0;
}

/// Little-endian numbers, [value, bytes] each.
function packed(...numbers: [value: number, bytes: 2 | 4][]): Uint8Array<ArrayBuffer> {
  const out = new DataView(new ArrayBuffer(numbers.reduce((sum, [, bytes]) => sum + bytes, 0)));
  let at = 0;
  for (const [value, bytes] of numbers) {
    if (bytes === 2) out.setUint16(at, value, true);
    else out.setUint32(at, value, true);
    at += bytes;
  }
  return new Uint8Array(out.buffer);
}

/// `when` in local time; the format knows years from 1980 and every second second.
export function zip(files: readonly [path: string, bytes: Uint8Array<ArrayBuffer>][], when: Date): Blob {
  const time = (when.getHours() << 11) | (when.getMinutes() << 5) | (when.getSeconds() >> 1);
  const date = (Math.max(0, when.getFullYear() - 1980) << 9) | ((when.getMonth() + 1) << 5) | when.getDate();
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const entries: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const [path, bytes] of files) {
    const name = new TextEncoder().encode(path);
    // Version 2.0, names in UTF-8, stored.
    const common: [number, 2 | 4][] = [[20, 2], [0x0800, 2], [0, 2], [time, 2], [date, 2], [crc32(bytes), 4], [bytes.length, 4], [bytes.length, 4], [name.length, 2], [0, 2]];
    const head = packed([0x04034B50, 4], ...common);
    parts.push(head, name, bytes);
    entries.push(packed([0x02014B50, 4], [20, 2], ...common, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), name);
    offset += head.length + name.length + bytes.length;
  }
  const size = entries.reduce((sum, { length }) => sum + length, 0);
  const end = packed([0x06054B50, 4], [0, 2], [0, 2], [files.length, 2], [files.length, 2], [size, 4], [offset, 4], [0, 2]);
  return new Blob([...parts, ...entries, end], { type: "application/zip" });
}

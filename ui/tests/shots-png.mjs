// Makes the pictures small enough for a repository: of their few thousand shades, the 256 that stand for the others.
import { deflateSync, inflateSync } from "node:zlib";

const SHADES = 256;

/** A PNG as browsers write it (eight bits, no palette, no interlace) as one with a palette. */
export function packed(png) {
  const { width, height, channels, pixels } = read(png);
  const counts = new Map();
  for (let at = 0; at < pixels.length; at += channels) {
    const colour = (pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2];
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = choose([...counts].sort((a, b) => b[1] - a[1]).map(([colour]) => colour));
  const place = new Map([...counts.keys()].map((colour) => [colour, nearest(palette, colour).index]));
  const lines = Buffer.alloc(height * (width + 1));
  for (let y = 0, at = 0; y < height; y += 1) {
    for (let x = 0; x < width; x += 1, at += channels)
      lines[y * (width + 1) + 1 + x] = place.get((pixels[at] << 16) | (pixels[at + 1] << 8) | pixels[at + 2]);
  }
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 3, 0, 0, 0], 8);
  const shades = Buffer.from(palette.flatMap((colour) => [colour >> 16, (colour >> 8) & 255, colour & 255]));
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", head),
    chunk("PLTE", shades),
    chunk("IDAT", deflateSync(lines, { level: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

/** The most frequent first, none too like another; then whatever there is room for. */
function choose(colours) {
  const chosen = [];
  for (const apart of [40, 0]) {
    for (const colour of colours) {
      if (chosen.length < SHADES && (chosen.length === 0 || nearest(chosen, colour).distance > apart))
        chosen.push(colour);
    }
  }
  return chosen;
}

function nearest(colours, to) {
  let [index, distance] = [0, Infinity];
  colours.forEach((each, at) => {
    const [r, g, b] = [(each >> 16) - (to >> 16), ((each >> 8) & 255) - ((to >> 8) & 255), (each & 255) - (to & 255)];
    const far = r * r + g * g + b * b;
    if (far < distance) [index, distance] = [at, far];
  });
  return { index, distance };
}

function read(png) {
  const parts = [];
  let [width, height, channels] = [0, 0, 0];
  for (let at = 8; at < png.length; ) {
    const [size, name] = [png.readUInt32BE(at), png.toString("latin1", at + 4, at + 8)];
    const body = png.subarray(at + 8, at + 8 + size);
    if (name === "IHDR")
      [width, height, channels] = [body.readUInt32BE(0), body.readUInt32BE(4), body[9] === 2 ? 3 : 4];
    if (name === "IDAT") parts.push(body);
    at += 12 + size;
  }
  const lines = inflateSync(Buffer.concat(parts));
  const stride = width * channels;
  const pixels = Buffer.alloc(height * stride);
  for (let y = 0; y < height; y += 1) {
    const filter = lines[y * (stride + 1)];
    for (let x = 0; x < stride; x += 1) {
      const at = y * stride + x;
      const left = x >= channels ? pixels[at - channels] : 0;
      const above = y > 0 ? pixels[at - stride] : 0;
      const corner = x >= channels && y > 0 ? pixels[at - stride - channels] : 0;
      pixels[at] =
        lines[y * (stride + 1) + 1 + x] + [0, left, above, (left + above) >> 1, paeth(left, above, corner)][filter];
    }
  }
  return { width, height, channels, pixels };
}

function paeth(left, above, corner) {
  const guess = left + above - corner;
  const [a, b, c] = [Math.abs(guess - left), Math.abs(guess - above), Math.abs(guess - corner)];
  return a <= b && a <= c ? left : b <= c ? above : corner;
}

const CRC = Array.from({ length: 256 }, (_, n) => {
  let c = n;
  for (let k = 0; k < 8; k += 1) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
  return c >>> 0;
});

function chunk(name, body) {
  const named = Buffer.concat([Buffer.from(name, "latin1"), body]);
  let crc = 0xffffffff;
  for (const byte of named) crc = CRC[(crc ^ byte) & 255] ^ (crc >>> 8);
  const out = Buffer.alloc(8 + named.length);
  out.writeUInt32BE(body.length, 0);
  named.copy(out, 4);
  out.writeUInt32BE((crc ^ 0xffffffff) >>> 0, 4 + named.length);
  return out;
}

package io.skerry.chunk.bytes;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/**
 * Converts stored text to and from strings without loss. Text is stored as UTF-8, but names written
 * by other programs may have other encodings. Therefore, each byte that is not part of valid UTF-8
 * is decoded to a lone surrogate from U+DC80 to U+DCFF, which is encoded as the same byte again.
 * h5py uses the same scheme.
 *
 * <p>Source: PEP 383, "Non-decodable Bytes in System Character Interfaces", 2009.
 */
public final class StoredText {
  private static final char ESCAPE = 0xdc00;
  private static final char REPLACEMENT = '\ufffd';

  private StoredText() {}

  /** Decodes stored text. */
  public static String decode(byte[] bytes) {
    String text = new String(bytes, StandardCharsets.UTF_8);
    return text.indexOf(REPLACEMENT) < 0 ? text : escaped(bytes);
  }

  private static String escaped(byte[] bytes) {
    CharsetDecoder decoder = StandardCharsets.UTF_8.newDecoder();
    ByteBuffer in = ByteBuffer.wrap(bytes);
    // Each byte yields at most one character.
    CharBuffer out = CharBuffer.allocate(bytes.length);
    CoderResult result = decoder.decode(in, out, true);
    while (result.isMalformed()) {
      for (int i = 0; i < result.length(); i++) {
        out.put((char) (ESCAPE + (in.get() & 0xff)));
      }
      result = decoder.reset().decode(in, out, true);
    }
    return out.flip().toString();
  }

  /** Encodes a string as stored text. */
  public static byte[] encode(String text) {
    return text.chars().anyMatch(c -> isEscape((char) c)) ? unescaped(text) : plain(text);
  }

  private static byte[] plain(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] unescaped(String text) {
    ByteWriter out = ByteWriter.create();
    int from = 0;
    for (int at = 0; at < text.length(); at++) {
      boolean isPair = at > 0 && Character.isHighSurrogate(text.charAt(at - 1));
      if (isEscape(text.charAt(at)) && !isPair) {
        out.bytes(plain(text.substring(from, at))).u8(text.charAt(at) & 0xff);
        from = at + 1;
      }
    }
    return out.bytes(plain(text.substring(from))).toArray();
  }

  private static boolean isEscape(char c) {
    return c >= ESCAPE + 0x80 && c <= ESCAPE + 0xff;
  }
}

package io.skerry.integration.crash;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.SortedMap;

/**
 * A possible content of a folder after a crash.
 *
 * @param files file contents by name
 */
record DiskState(SortedMap<String, byte[]> files) {
  /** Returns a digest that is equal for the same files with the same content. */
  String digest() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      files.forEach((name, bytes) -> {
        digest.update((name + "/" + bytes.length + "/").getBytes(UTF_8));
        digest.update(bytes);
      });
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}

package io.skerry.internal.value.message;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.internal.value.StoredContents;
import java.util.Optional;

/**
 * An object to which references refer.
 *
 * @param path the path of the object in its file; empty if no path leads to it
 * @param isObject true if the header of the object can be read
 */
record ReferredObject(Optional<String> path, boolean isObject) {
  private static final int READABLE = 1;
  private static final int HAS_PATH = 2;

  /** Finds an object in its file. */
  static ReferredObject at(long address, StoredContents contents) {
    return new ReferredObject(contents.pathOf(address), contents.isObject(address));
  }

  void encode(ByteWriter out) {
    out.u8((isObject ? READABLE : 0) | (path.isPresent() ? HAS_PATH : 0));
    path.ifPresent(text -> {
      ByteWriter encoded = ByteWriter.create().text(text);
      out.u32(encoded.position()).bytes(encoded.written());
    });
  }

  static ReferredObject decode(ByteReader in) {
    int flags = in.u8();
    Optional<String> path =
        (flags & HAS_PATH) == 0 ? Optional.empty() : Optional.of(in.text(in.u32()));
    return new ReferredObject(path, (flags & READABLE) != 0);
  }
}

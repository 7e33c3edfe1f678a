package io.skerry.cache.api;

import java.io.Serial;
import java.util.function.BiPredicate;

/** A failure that a test causes. */
public final class Fault extends RuntimeException {
  @Serial private static final long serialVersionUID = 1;

  Fault(MemoryStore.Act act, ChunkKey key) {
    super("failed on purpose: act=" + act + " chunk=" + key);
  }

  public static MemoryStore.Events when(BiPredicate<MemoryStore.Act, ChunkKey> which) {
    return (act, key) -> {
      if (which.test(act, key)) {
        throw new Fault(act, key);
      }
    };
  }
}

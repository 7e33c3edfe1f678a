package io.skerry;

import io.skerry.chunk.UnsupportedFeatureException;
import java.util.function.Supplier;

/**
 * Bounds what one read takes of the heap. The extent of a dataset is a number in a file: what it
 * asks for is refused before anything is allocated if the heap can never have it, and when the
 * array is made if the heap does not have it now.
 */
final class HeapRoom {
  private HeapRoom() {}

  /** The most bytes that one read may take: seven eighths of the heap. */
  static long most() {
    return Runtime.getRuntime().maxMemory() / 8 * 7;
  }

  /**
   * Refuses what is larger than {@link #most}.
   *
   * @param values number of values
   * @param bytes of one value in memory
   * @param path of the dataset, for the error
   * @throws UnsupportedFeatureException if they do not fit
   */
  static void check(long values, long bytes, String path) {
    if (values > most() / Math.max(1, bytes)) {
      throw refusal(values, bytes, path);
    }
  }

  /**
   * Makes the array for a read.
   *
   * @throws UnsupportedFeatureException if the heap has no room for it
   */
  static <A> A make(long values, long bytes, String path, Supplier<A> array) {
    check(values, bytes, path);
    try {
      return array.get();
    } catch (OutOfMemoryError e) {
      // Of one array the virtual machine takes all or nothing, so the heap is as it was.
      UnsupportedFeatureException refusal = refusal(values, bytes, path);
      refusal.initCause(e);
      throw refusal;
    }
  }

  private static UnsupportedFeatureException refusal(long values, long bytes, String path) {
    return new UnsupportedFeatureException(
        "reading more at once than the heap has room for, in place of smaller parts: values="
            + values
            + " bytesEach="
            + bytes
            + " limitBytes="
            + most(),
        path);
  }
}

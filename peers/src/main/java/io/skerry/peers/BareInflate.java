package io.skerry.peers;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;

/**
 * Inflates stored frames with the zlib of the JDK and does nothing else. If frames are read with
 * the same zlib, the time of {@link #run} is a lower bound on the time to read them. Skerry uses
 * libdeflate if it is installed, which may be faster.
 *
 * @param stored a zlib stream for each frame
 * @param frameBytes the size of an inflated frame in bytes
 */
record BareInflate(List<byte[]> stored, int frameBytes) {
  /** Inflates all frames and returns their {@linkplain #sum sum}. This call is not timed. */
  long checksum() throws IOException {
    long sum = 0;
    byte[] frame = new byte[frameBytes];
    for (int i = 0; i < stored.size(); i++) {
      inflate(new Inflater(), stored.get(i), frame);
      sum += weighed(MemorySegment.ofArray(frame), i);
    }
    return sum;
  }

  /** Returns a sum over all frames that depends on their order. */
  long sum(MemorySegment frames) {
    long sum = 0;
    for (int i = 0; i < stored.size(); i++) {
      sum += weighed(frames.asSlice((long) i * frameBytes, frameBytes), i);
    }
    return sum;
  }

  private static long weighed(MemorySegment frame, int number) {
    return Material.checksum(frame) * (number + 1);
  }

  /**
   * Inflates all frames on the given number of threads. When a thread finishes a frame, it
   * continues with the next frame that no thread has taken.
   */
  void run(int threads) throws IOException {
    AtomicInteger next = new AtomicInteger();
    List<Callable<Integer>> tasks = new ArrayList<>();
    for (int thread = 0; thread < threads; thread++) {
      tasks.add(() -> {
        byte[] frame = new byte[frameBytes];
        try (Inflater inflater = new Inflater()) {
          int done = 0;
          for (int i = next.getAndIncrement(); i < stored.size(); i = next.getAndIncrement()) {
            inflater.reset();
            inflate(inflater, stored.get(i), frame);
            done++;
          }
          return done;
        }
      });
    }
    int done = Together.run(tasks).stream().mapToInt(Integer::intValue).sum();
    if (done != stored.size()) {
      throw new IllegalStateException("frames: expected=" + stored.size() + " actual=" + done);
    }
  }

  /** Inflates a frame. The inflater verifies the checksum of the stream. */
  private static void inflate(Inflater inflater, byte[] stream, byte[] frame) throws IOException {
    try {
      inflater.setInput(stream);
      int bytes = inflater.inflate(frame);
      if (bytes != frame.length || !inflater.finished()) {
        throw new IOException("inflated: expected=" + frame.length + " actual=" + bytes);
      }
    } catch (DataFormatException e) {
      throw new IOException(e);
    }
  }
}

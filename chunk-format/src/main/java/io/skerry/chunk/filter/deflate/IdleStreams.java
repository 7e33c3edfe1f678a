package io.skerry.chunk.filter.deflate;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * A pool of idle zlib streams of one kind, at most one for each processor. Streams are reused
 * because allocating one, of 260 KiB, takes longer than compressing a small chunk.
 *
 * @param <S> the type of a stream, {@link java.util.zip.Deflater} or {@link java.util.zip.Inflater}
 */
final class IdleStreams<S> {
  /** A call that uses a stream. */
  interface Call<S, R, E extends Exception> {
    R on(S stream) throws E;
  }

  private final Queue<S> idle =
      new ArrayBlockingQueue<>(Runtime.getRuntime().availableProcessors());
  private final Supplier<S> create;
  private final Consumer<S> reset;
  private final Consumer<S> end;

  /**
   * @param create the function that creates a stream
   * @param reset the function that gives a used stream the state of a new one
   * @param end the function that frees the native memory of a stream
   */
  IdleStreams(Supplier<S> create, Consumer<S> reset, Consumer<S> end) {
    this.create = create;
    this.reset = reset;
    this.end = end;
  }

  /**
   * Runs a call with an idle stream, or with a new one if no stream is idle. After the call, the
   * stream is returned to the pool, or freed if the pool is full.
   */
  <R, E extends Exception> R use(Call<S, R, E> call) throws E {
    S stream = Optional.ofNullable(idle.poll()).orElseGet(create);
    try {
      return call.on(stream);
    } finally {
      reset.accept(stream);
      if (!idle.offer(stream)) {
        end.accept(stream);
      }
    }
  }
}

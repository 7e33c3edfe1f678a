package io.skerry.chunk.filter.deflate;

import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The zlib streams of one kind that no call is using; at most one for each processor. The
 * allocation of a stream of 260 KiB takes longer than the compression of a small chunk.
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
   * @param create creates a stream
   * @param reset gives a used stream the state of a new one
   * @param end frees the native memory of a stream
   */
  IdleStreams(Supplier<S> create, Consumer<S> reset, Consumer<S> end) {
    this.create = create;
    this.reset = reset;
    this.end = end;
  }

  /** Calls with an idle stream or a new one, which is idle again after the call. */
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

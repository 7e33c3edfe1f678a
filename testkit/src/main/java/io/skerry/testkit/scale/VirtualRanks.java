package io.skerry.testkit.scale;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Runs tens of thousands of ranks as virtual threads of this JVM. Unlike {@link
 * io.skerry.mpi.LocalRanks} it has no files and finds no deadlocks: it is for code that plans and
 * exchanges, and counts every message that a rank sends.
 */
public final class VirtualRanks {
  private VirtualRanks() {}

  /**
   * Runs the body on all ranks.
   *
   * @param <T> what a rank has to say in the end
   * @param body is given the communicator of its rank
   * @return what the ranks said, by rank
   * @throws IllegalStateException if a rank failed; the others may wait for it for ever, in threads
   *     that do not keep the JVM from ending
   */
  public static <T> List<T> call(int ranks, Function<VirtualCommunicator, T> body) {
    List<Mailbox> mailboxes = IntStream.range(0, ranks).mapToObj(_ -> new Mailbox()).toList();
    List<Future<T>> running = new ArrayList<>();
    // Not closed: who waits for a rank that failed would be waited for.
    ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    for (int rank = 0; rank < ranks; rank++) {
      VirtualCommunicator world = new VirtualCommunicator(rank, mailboxes);
      running.add(threads.submit(() -> body.apply(world)));
    }
    List<T> answers = new ArrayList<>();
    for (Future<T> each : running) {
      answers.add(awaited(each));
    }
    threads.close();
    return answers;
  }

  private static <T> T awaited(Future<T> rank) {
    try {
      return rank.get();
    } catch (ExecutionException e) {
      throw new IllegalStateException("a virtual rank failed: " + e.getCause(), e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while virtual ranks ran", e);
    }
  }
}

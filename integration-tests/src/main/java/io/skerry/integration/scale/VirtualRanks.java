package io.skerry.integration.scale;

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
 * io.skerry.mpi.LocalRanks}, it supports no files and detects no deadlocks. It is intended for code
 * that plans work and exchanges messages, and it counts every message of each rank.
 */
public final class VirtualRanks {
  private VirtualRanks() {}

  /**
   * Runs the body on all ranks.
   *
   * @param <T> the type of the result of a rank
   * @param body the program of a rank, which receives the communicator of the rank
   * @return the results, by rank
   * @throws IllegalStateException if a rank fails and all lower ranks end. A rank that waits for a
   *     message from the failed rank never ends, but its thread does not keep the JVM running
   */
  public static <T> List<T> call(int ranks, Function<VirtualCommunicator, T> body) {
    List<MessageQueue> mailboxes =
        IntStream.range(0, ranks).mapToObj(_ -> new MessageQueue()).toList();
    List<Future<T>> running = new ArrayList<>();
    // Closed only after success, because closing would wait for ranks that wait for a failed rank.
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

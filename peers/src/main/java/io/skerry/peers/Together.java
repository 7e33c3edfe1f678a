package io.skerry.peers;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Runs tasks concurrently: the first task on the calling thread, the others on threads of their
 * own.
 */
final class Together {
  private Together() {}

  /**
   * Returns the results in the order of the tasks. If tasks fail, throws an exception for the first
   * failed task in that order.
   */
  static <T> List<T> run(List<Callable<T>> tasks) throws IOException {
    try (ExecutorService threads = Executors.newCachedThreadPool()) {
      List<Future<T>> others = tasks.stream().skip(1).map(threads::submit).toList();
      List<T> results = new ArrayList<>();
      results.add(tasks.getFirst().call());
      for (Future<T> other : others) {
        results.add(other.get());
      }
      return results;
    } catch (ExecutionException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException(e);
    } catch (RuntimeException | IOException e) {
      throw e;
    } catch (Exception e) {
      throw new IOException(e);
    }
  }
}

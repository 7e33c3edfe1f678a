package io.skerry.iod.shipper;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.function.Supplier;

/**
 * A set of operations that are waited for or cancelled together, and whose failures are collected.
 * Operations of one client that depend on each other keep their order: calls on a shard are
 * executed in the order in which they were started, and a finish or abort is executed after all
 * changes that were started before it. All methods are local and may be called only by the thread
 * of the rank.
 */
public final class AsyncScope implements AutoCloseable {
  private final List<Pending<?>> operations = new ArrayList<>();
  private final List<RuntimeException> errors = new ArrayList<>();
  private boolean isCancelled;

  /** Creates a scope without operations. */
  AsyncScope() {}

  /**
   * Starts an operation.
   *
   * @param operation starts the operation by calling a method of {@link ShipperClient} that returns
   *     without waiting
   * @return the operation
   * @throws IllegalStateException if the scope was cancelled
   */
  public <T> Pending<T> start(Supplier<Pending<T>> operation) {
    if (isCancelled) {
      throw new IllegalStateException("start of an operation in a scope that was cancelled");
    }
    Pending<T> started = operation.get();
    operations.add(started);
    return started;
  }

  /** Returns the number of operations that have not been waited for. */
  public int size() {
    return operations.size();
  }

  /**
   * Waits for all operations. Failures are collected, see {@link #errors}.
   *
   * @return the number of operations that have failed, excluding cancelled ones
   */
  public int waitAll() {
    int before = errors.size();
    for (Pending<?> operation : operations) {
      try {
        var unused = operation.await();
      } catch (CancellationException e) {
        // The caller has requested the cancellation.
      } catch (RuntimeException e) {
        // The exception type depends on the operation; the caller retrieves all failures later.
        errors.add(e);
      }
    }
    operations.clear();
    return errors.size() - before;
  }

  /**
   * Withdraws the operations that have not been sent, and accepts no more. Operations that were
   * sent are executed and must be waited for.
   *
   * @return the number of operations that were withdrawn
   */
  public int cancel() {
    isCancelled = true;
    int withdrawn = 0;
    for (Pending<?> operation : operations) {
      withdrawn += operation.cancel() ? 1 : 0;
    }
    return withdrawn;
  }

  /** Returns the failures since the last call of this method, in the order of the operations. */
  public List<RuntimeException> errors() {
    List<RuntimeException> taken = List.copyOf(errors);
    errors.clear();
    return taken;
  }

  /**
   * Waits for all operations.
   *
   * @throws RuntimeException if operations have failed whose failures {@link #errors} has not
   *     returned: the first of them, with the others suppressed
   */
  @Override
  public void close() {
    waitAll();
    List<RuntimeException> left = errors();
    if (!left.isEmpty()) {
      RuntimeException first = left.getFirst();
      left.stream().skip(1).filter(e -> !e.equals(first)).forEach(first::addSuppressed);
      throw first;
    }
  }
}

package io.skerry.internal.copy.generic;

import io.skerry.H5File;
import io.skerry.collective.step.LocalStatus;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connectors;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Local steps before a collective operation on the target of a copy, or on its source.
 *
 * @param target the file on which the operation is called
 */
record TargetSteps(H5File target) {
  /**
   * Runs a local step. If it fails on this rank, the operation that the other ranks begin next
   * fails on all ranks.
   *
   * @param next the operation on the target that follows the step
   * @param path the path of the object on which that operation is called
   * @return the result of the step
   */
  <T> T before(Operation next, String path, Supplier<T> step) {
    LocalStatus status = new LocalStatus();
    Optional<T> result = status.attempt(() -> Optional.of(step.get()), Optional.empty());
    return result.orElseThrow(
        () -> Connectors.stored(target).refused(next, path, status.failure().orElseThrow()));
  }
}

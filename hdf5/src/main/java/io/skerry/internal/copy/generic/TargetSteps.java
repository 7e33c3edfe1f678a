package io.skerry.internal.copy.generic;

import io.skerry.H5File;
import io.skerry.cache.RequestInterruptedException;
import io.skerry.collective.step.LocalStatus;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.CollectiveException;
import io.skerry.parallel.CommitException;
import io.skerry.parallel.Operation;
import io.skerry.spi.Connectors;
import java.util.List;
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
    return result.orElseThrow(() -> refused(next, path, status.failure().orElseThrow()));
  }

  private RuntimeException refused(Operation next, String path, RuntimeException failure) {
    RuntimeException refusal = Connectors.stored(target).refused(next, path, failure);
    if (!refusal.equals(failure)) {
      return refusal;
    }
    // The connector may return the failure as it is if no other rank has the file open.
    return switch (LocalStatus.thrown(failure)) {
      case CollectiveException told -> told;
      case CommitException told -> told;
      case UnsupportedFeatureException unsupported -> unsupported;
      case RequestInterruptedException interrupted -> interrupted;
      case RuntimeException other ->
          new CollectiveException(
              next,
              "file=" + target.path() + (path.isEmpty() ? "" : " object=" + path),
              List.of(0),
              Communicator.RankSet.of(1),
              String.valueOf(other.getMessage()),
              Optional.of(other));
    };
  }
}

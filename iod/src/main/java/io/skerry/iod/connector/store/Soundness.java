package io.skerry.iod.connector.store;

import io.skerry.collective.step.LocalStatus;
import java.util.Optional;

/**
 * The failure after which an open file can only be closed. All ranks have the same one, except for
 * a change that one of several ranks made alone: the next flush passes that failure on to the
 * others. Guarded by the gate of the file.
 */
final class Soundness {
  private final String file;
  private Optional<PermanentFailure> permanent = Optional.empty();

  /** The failure of a change that this rank made alone, which is unknown to the other ranks. */
  private Optional<RuntimeException> here = Optional.empty();

  /** A failure for good. */
  sealed interface PermanentFailure {
    RuntimeException cause();

    /** A change failed and could not be undone. */
    record Change(RuntimeException cause) implements PermanentFailure {}

    /** A flush failed; its caller knows that changes may be lost. */
    record Commit(RuntimeException cause) implements PermanentFailure {}
  }

  Soundness(String file) {
    this.file = file;
  }

  /** Returns the path of the file, for messages. */
  String file() {
    return file;
  }

  /** Notes that the open transaction contains a part of a change that failed. */
  void changeFailed(String what, Throwable cause) {
    permanent = Optional.of(new PermanentFailure.Change(new IllegalStateException(what, cause)));
  }

  /** Notes that a change of this rank alone failed, while several ranks have the file open. */
  void changeFailedHere(Throwable cause) {
    here =
        Optional.of(
            cause instanceof RuntimeException failure
                ? failure
                : new IllegalStateException("a change could not be stored", cause));
  }

  /** Returns the status of the changes that this rank made alone. */
  LocalStatus here() {
    LocalStatus status = new LocalStatus();
    here.ifPresent(failure ->
        status.attempt(() -> {
          throw failure;
        }));
    return status;
  }

  /** Notes that a flush failed. */
  void commitFailed(RuntimeException cause) {
    permanent = Optional.of(new PermanentFailure.Commit(cause));
  }

  boolean isSound() {
    return permanent.isEmpty();
  }

  /** Returns the failure of a change that the next flush must report. */
  Optional<RuntimeException> failedChange() {
    return permanent.filter(PermanentFailure.Change.class::isInstance).map(PermanentFailure::cause);
  }

  /**
   * Checks that nothing has failed for good.
   *
   * @throws IllegalStateException if something has
   */
  void require() {
    permanent.map(PermanentFailure::cause).ifPresent(this::refuse);
  }

  /**
   * Checks that nothing has failed for good, not even on this rank alone. Only for operations that
   * are not collective.
   *
   * @throws IllegalStateException if something has
   */
  void requireHere() {
    require();
    here.ifPresent(this::refuse);
  }

  /**
   * Checks that no flush has failed; after a failed flush, transactions cannot be aborted.
   *
   * @throws IllegalStateException if one has
   */
  void requireCommitted() {
    if (hasFailedFlush()) {
      require();
    }
  }

  /** Returns whether a flush has failed. */
  boolean hasFailedFlush() {
    return permanent.filter(PermanentFailure.Commit.class::isInstance).isPresent();
  }

  /** Notes that the transaction that contains the failed changes was aborted. */
  void aborted() {
    permanent = permanent.filter(PermanentFailure.Commit.class::isInstance);
    here = Optional.empty();
  }

  private void refuse(RuntimeException cause) {
    throw new IllegalStateException(
        "an earlier change or flush has failed, and the file can only be closed: file=" + file,
        cause);
  }
}

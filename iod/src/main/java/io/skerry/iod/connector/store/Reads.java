package io.skerry.iod.connector.store;

import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.iod.object.Values;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs the reads of an open file; {@link Session} describes the methods.
 *
 * @param access the access mode
 * @param store the container
 * @param ranks the ranks that have the file open
 * @param gate the gate of the file
 * @param soundness refuses reads after a permanent failure
 */
record Reads(
    FileAccess access, ContainerStore store, FileRanks ranks, FileGate gate, Soundness soundness) {
  /** Runs a local read: concurrently with others, or exclusively if changes are possible. */
  <T> T within(Supplier<T> read) {
    if (access != FileAccess.READ || ranks.areSeveral()) {
      return gate.exclusively(read);
    }
    gate.enter();
    try {
      return read.get();
    } finally {
      gate.leave();
    }
  }

  <T> T look(Function<Values, T> read) {
    ranks.requireOwner("a read");
    return within(() -> located(read));
  }

  /** Runs a read, and adds the path of the file to the message about damage. */
  private <T> T located(Function<Values, T> read) {
    try {
      return read.apply(store.values());
    } catch (FormatException e) {
      throw e.inFile(soundness.file());
    } catch (UnsupportedFeatureException e) {
      throw e.inFile(soundness.file());
    }
  }

  <T> T read(Operation operation, String subject, Function<Values, T> read) {
    if (!ranks.areSeveral()) {
      return within(() -> {
        soundness.require();
        return ranks.alone(operation, subject, () -> read.apply(store.values()));
      });
    }
    return gate.collectively(
        operation,
        subject,
        () -> {
          soundness.require();
          LocalStatus status = new LocalStatus();
          ranks.enter(operation, subject, "", status);
          try {
            Optional<T> result =
                status.attempt(() -> Optional.of(read.apply(store.values())), Optional.empty());
            // A rank that has finished its reads serves the others until they have finished theirs.
            ranks.conclude(status);
            return result.orElseThrow();
          } finally {
            ranks.leave();
          }
        });
  }

  long largest(long number) {
    if (!ranks.areSeveral()) {
      return within(() -> number);
    }
    return gate.collectively(
        Operation.COPY,
        "",
        () -> {
          ranks.enter(Operation.COPY, "", "", new LocalStatus());
          try {
            return ranks.agree(new LocalStatus(), number)[0];
          } finally {
            ranks.leave();
          }
        });
  }

  <T> T lookTogether(Operation operation, String subject, Function<Values, T> read) {
    if (!ranks.areSeveral()) {
      return look(read);
    }
    return gate.collectively(
        operation,
        subject,
        () -> {
          LocalStatus status = new LocalStatus();
          Optional<T> result = Optional.empty();
          ranks.enter(operation, subject, "", new LocalStatus());
          try {
            result = status.attempt(() -> Optional.of(located(read)), result);
            // The other ranks may still need this one to serve them.
            ranks.conclude(new LocalStatus());
          } finally {
            ranks.leave();
          }
          status.throwFailure();
          return result.orElseThrow();
        });
  }

  /** Returns the exception of an operation that this rank cannot begin; see {@link Session}. */
  RuntimeException refused(Operation operation, String subject, RuntimeException failure) {
    LocalStatus status = new LocalStatus();
    status.attempt(() -> {
      throw failure;
    });
    try {
      gate.collectively(
          operation,
          subject,
          () -> {
            if (ranks.areSeveral()) {
              ranks.enter(operation, subject, "", status);
              ranks.leave();
            } else {
              boolean unused =
                  ranks.alone(
                      operation,
                      subject,
                      () -> {
                        throw failure;
                      });
            }
          });
      return failure;
    } catch (RuntimeException e) {
      return e;
    }
  }
}

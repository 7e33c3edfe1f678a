package io.skerry.iod.connector.store;

import io.skerry.Transactions;
import io.skerry.collective.step.FileGate;
import io.skerry.collective.step.LocalStatus;
import io.skerry.iod.object.Values;
import io.skerry.iod.object.model.TileDecoder;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.Operation;
import java.nio.file.Path;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/** The transactions and versions of an open file, as operations of its {@link Session}. */
public final class FileTransactions implements Transactions {
  private final Path path;
  private final FileAccess access;
  private final ContainerStore store;
  private final FileRanks ranks;
  private final FileGate gate;
  private final Soundness soundness;
  private final Commits commits;
  private final Runnable linkChange;
  private Consumer<Values> onAbort = _ -> {};

  /**
   * Creates the transactions of a session from parts of the session.
   *
   * @param linkChange notes that links may have changed
   */
  FileTransactions(
      Path path,
      FileAccess access,
      ContainerStore store,
      FileRanks ranks,
      FileGate gate,
      Soundness soundness,
      Commits commits,
      Runnable linkChange) {
    this.path = path;
    this.access = access;
    this.store = store;
    this.ranks = ranks;
    this.gate = gate;
    this.soundness = soundness;
    this.commits = commits;
    this.linkChange = linkChange;
  }

  /**
   * Sets the action that restores the in-memory state of objects from the values after an abort.
   * Must be called once, before the first operation.
   */
  public void onAbort(Consumer<Values> action) {
    onAbort = action;
  }

  /** Returns whether the program delimits its transactions. Local; does not fail. */
  public boolean isDelimited() {
    return access != FileAccess.READ && store.transactions().isDelimited();
  }

  private NumberedTransactions writable(String what) {
    if (access == FileAccess.READ) {
      throw new IllegalStateException(
          "the file is open for reading only: operation=" + what + " file=" + path);
    }
    return store.transactions();
  }

  /**
   * Runs an operation on all ranks, which fails if an earlier change of one rank has failed.
   *
   * @param check throws an exception if this rank cannot begin the operation
   */
  private <T> T together(
      String what, Consumer<NumberedTransactions> check, Function<NumberedTransactions, T> step) {
    NumberedTransactions transactions = writable(what);
    return gate.collectively(
        Operation.TRANSACTION,
        what,
        () -> {
          soundness.require();
          LocalStatus status = soundness.here();
          status.attempt(() -> check.accept(transactions));
          return entered(what, status, () -> step.apply(transactions));
        });
  }

  private <T> T entered(String what, LocalStatus status, Supplier<T> step) {
    ranks.enter(Operation.TRANSACTION, "", what, status);
    try {
      return reported(Operation.TRANSACTION, what, step);
    } finally {
      ranks.leave();
    }
  }

  /**
   * Runs a step within an operation. The steps report a failure of a single rank as it is, so it
   * becomes a {@link io.skerry.parallel.CollectiveException} here.
   */
  private <T> T reported(Operation operation, String what, Supplier<T> step) {
    return ranks.areSeveral() ? step.get() : ranks.alone(operation, what, step::get);
  }

  /** Flushes and lets the program delimit its transactions, unless it already does. Collective. */
  private void delimit() {
    if (!writable("begin").isDelimited()) {
      gate.collectively(
          Operation.FLUSH,
          "",
          () -> {
            soundness.require();
            ranks.enter(Operation.FLUSH, "", "", new LocalStatus());
            try {
              commits.commit();
              boolean unused =
                  reported(
                      Operation.FLUSH,
                      "",
                      () -> {
                        store.transactions().delimit();
                        return true;
                      });
            } finally {
              ranks.leave();
            }
          });
    }
  }

  @Override
  public long begin() {
    return begun(OptionalLong.empty());
  }

  @Override
  public void begin(long number) {
    long unused = begun(OptionalLong.of(number));
  }

  private long begun(OptionalLong number) {
    return gate.exclusively(() -> {
      delimit();
      return together(
          "begin" + (number.isPresent() ? " " + number.getAsLong() : ""),
          NumberedTransactions::requireNothing,
          transactions -> transactions.begin(number));
    });
  }

  @Override
  public long finish() {
    return together(
        "finish",
        NumberedTransactions::requireBegun,
        transactions -> {
          try {
            return transactions.finish();
          } catch (RuntimeException e) {
            soundness.changeFailed("a transaction could not be finished", e);
            throw e;
          }
        });
  }

  @Override
  public void beginPart(long number) {
    NumberedTransactions transactions = writable("beginPart");
    ranks.requireOwner("beginPart");
    gate.exclusively(() -> {
      soundness.requireHere();
      transactions.beginPart(number);
    });
  }

  @Override
  public void finishPart() {
    NumberedTransactions transactions = writable("finishPart");
    ranks.requireOwner("finishPart");
    gate.exclusively(() -> {
      soundness.requireHere();
      transactions.requirePart();
      try {
        transactions.finishPart();
      } catch (RuntimeException e) {
        soundness.changeFailedHere(e);
        throw e;
      }
    });
  }

  @Override
  public long advance() {
    return gate.exclusively(() -> {
      delimit();
      return together("advance", NumberedTransactions::requireNone, NumberedTransactions::advance);
    });
  }

  @Override
  public void abort() {
    NumberedTransactions transactions = writable("abort");
    gate.collectively(
        Operation.TRANSACTION,
        "abort",
        () -> {
          soundness.requireCommitted();
          return entered("abort", new LocalStatus(), () -> aborted(transactions));
        });
  }

  private boolean aborted(NumberedTransactions transactions) {
    LocalStatus status = new LocalStatus();
    if (!transactions.abort()) {
      status.attempt(() -> {
        throw new IllegalStateException("there is no transaction to abort: file=" + path);
      });
    }
    ranks.requireGood(status);
    soundness.aborted();
    linkChange.run();
    status.attempt(() -> onAbort.accept(store.values()));
    // A rank that has finished its reads serves the others until they have finished theirs.
    ranks.requireGood(status);
    return true;
  }

  @Override
  public void skip(long first, long last) {
    boolean unused =
        together(
            "skip " + first + " to " + last,
            _ -> {},
            transactions -> {
              transactions.versions().skip(ranks, first, last);
              return true;
            });
  }

  @Override
  public void persist() {
    NumberedTransactions transactions = writable("persist");
    gate.collectively(
        Operation.FLUSH,
        "",
        () -> {
          soundness.require();
          ranks.enter(Operation.FLUSH, "", "", new LocalStatus());
          try {
            if (transactions.isDelimited()) {
              boolean unused =
                  reported(
                      Operation.FLUSH,
                      "",
                      () -> {
                        transactions.flush(new LocalStatus());
                        return true;
                      });
            } else {
              commits.commit();
            }
          } finally {
            ranks.leave();
          }
        });
  }

  @Override
  public long snapshot(String name) {
    return together(
        "snapshot " + name,
        _ -> {
          if (Transactions.Version.parse(name).isPresent()) {
            throw new IllegalArgumentException(
                "name of a snapshot: expected=neither a number nor last actual=" + name);
          }
        },
        transactions -> transactions.versions().snapshot(ranks, name));
  }

  @Override
  public void deleteSnapshot(String name) {
    boolean unused =
        together(
            "delete snapshot " + name,
            _ -> {},
            transactions -> {
              transactions.versions().deleteSnapshot(ranks, name);
              return true;
            });
  }

  @Override
  public OptionalLong current() {
    return access == FileAccess.READ
        ? OptionalLong.empty()
        : gate.exclusively(() -> store.transactions().current());
  }

  @Override
  public long readable() {
    return look("readable", store::version);
  }

  @Override
  public List<Long> versions() {
    return look("versions", () -> store.versions().list());
  }

  @Override
  public List<String> snapshots() {
    return look("snapshots", () -> store.versions().snapshots());
  }

  /** Runs a local read of the container. */
  private <T> T look(String what, Supplier<T> read) {
    ranks.requireOwner(what);
    return gate.exclusively(read);
  }

  /**
   * Opens a version for reading, in a session of its own. Collective.
   *
   * @param version the version
   * @param decoder decodes tiles with cells
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such version
   */
  public Session open(Transactions.Version version, TileDecoder decoder) {
    Path name = Path.of(path + "@" + version);
    return gate.collectively(
        Operation.OPEN_FILE,
        "",
        () -> {
          FileRanks others = ranks.again(Operation.OPEN_FILE, name.toString());
          boolean isOpen = false;
          try {
            ContainerStore opened =
                others.areSeveral()
                    ? store.versions().open(others, version)
                    : others.alone(
                        Operation.OPEN_FILE, "", () -> store.versions().open(others, version));
            isOpen = true;
            return new Session(name, FileAccess.READ, opened, others, decoder);
          } finally {
            others.leave();
            if (!isOpen) {
              others.close();
            }
          }
        });
  }
}

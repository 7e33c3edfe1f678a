package io.skerry;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbered transactions of a file in a container, and its versions. {@link H5File#transactions}
 * returns this object; HDF5 files have no transactions.
 *
 * <p>A version is the state of the file after a transaction, and has the number of that
 * transaction. Numbers increase, but need not be consecutive. A finished transaction becomes
 * readable when all transactions with lower numbers that were begun are readable or aborted, so a
 * reader always sees a prefix of the transactions. A version is kept until no file that was opened
 * with {@link H5File#openVersion} reads it and a newer version is persisted; then it is purged. A
 * snapshot keeps a version under a name until it is deleted.
 *
 * <p>A program that does not call this interface has one transaction for each {@link H5File#flush},
 * which also persists it. From its first call of {@link #begin} or {@link #advance}, the program
 * delimits its transactions itself: each change needs an open transaction, and reads outside a
 * transaction return the version that the last {@code finish}, {@code advance} or {@code abort}
 * reached. {@link H5File#flush} then persists only the finished transactions, as {@link #persist}
 * does. {@link H5File#close} aborts an open transaction and persists the others.
 *
 * <pre>{@code
 * Transactions transactions = file.transactions();
 * transactions.begin();
 * dataset.write(Selection.all(), values);
 * long version = transactions.finish();
 * transactions.persist();
 * try (H5File before = file.openVersion(Transactions.Version.previous(version - 1))) {
 *   ...
 * }
 * }</pre>
 *
 * <p>Several ranks use transactions in one of two ways. In leader mode, all ranks call {@link
 * #begin} and {@link #finish} together, and rank 0 starts and finishes the transaction. With {@link
 * #beginPart} and {@link #finishPart}, each rank starts and finishes its own part at any time, and
 * the container counts the parts: the transaction is finished when all ranks have finished theirs.
 * {@link #advance} then lets all ranks read the newest version. Collective changes within a part
 * require that all ranks are in the same transaction.
 *
 * <p>Each method is marked as collective or local. A collective method that fails on one rank
 * throws a {@link io.skerry.parallel.CollectiveException} on all ranks; it fails as well if the
 * ranks call different methods, pass different arguments, or the storage fails. If a single rank
 * has the file open, any thread may call all methods. If several ranks have it open, only the
 * thread that opened it may call them; on any other thread, methods that use the container throw
 * {@link IllegalStateException}.
 *
 * <p>All methods throw {@link IllegalStateException} if the file is closed. All except {@link
 * #current}, {@link #readable}, {@link #versions} and {@link #snapshots} also throw it if the file
 * is open for reading only, an earlier flush has failed permanently or, except for {@link #abort},
 * an earlier change has failed permanently. If a local change has failed permanently on one rank
 * only, collective methods other than {@code abort} may instead throw a {@link
 * io.skerry.parallel.CollectiveException} or a {@link io.skerry.parallel.CommitException} with that
 * failure as the cause. Local methods throw a {@link RuntimeException} of the connector if the
 * storage fails, or if a rank that serves the container has failed or does not answer in time.
 */
public interface Transactions {
  /**
   * The choice of a version. Immutable.
   *
   * @param choice the way in which the number chooses a version
   * @param number the number of a transaction, 0 or more; 0 for {@link Choice#LAST}
   */
  record Version(Choice choice, long number) {
    private static final Pattern FORM = Pattern.compile("(?:(prev|next):)?([0-9]{1,19})");
    private static final String LAST = "last";

    /** The way in which a number chooses a version. */
    public enum Choice {
      /** The version with the number. */
      EXACT,
      /** The newest version whose number is at most the given number. */
      PREVIOUS,
      /** The oldest version whose number is at least the given number. */
      NEXT,
      /** The newest version. */
      LAST
    }

    /**
     * Checks the number. Local, thread-safe.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Version {
      Objects.requireNonNull(choice);
      if (number < 0) {
        throw new IllegalArgumentException(
            "number of a version: expected=0 or more actual=" + number);
      }
    }

    /**
     * Returns the choice of exactly one version. Local, thread-safe.
     *
     * @param number the number of its transaction, 0 or more
     * @return the choice
     * @throws IllegalArgumentException if the number is negative
     */
    public static Version exact(long number) {
      return new Version(Choice.EXACT, number);
    }

    /**
     * Returns the choice of the newest version whose number is at most a given number. Local,
     * thread-safe.
     *
     * @param number the number, 0 or more
     * @return the choice
     * @throws IllegalArgumentException if the number is negative
     */
    public static Version previous(long number) {
      return new Version(Choice.PREVIOUS, number);
    }

    /**
     * Returns the choice of the oldest version whose number is at least a given number. Local,
     * thread-safe.
     *
     * @param number the number, 0 or more
     * @return the choice
     * @throws IllegalArgumentException if the number is negative
     */
    public static Version next(long number) {
      return new Version(Choice.NEXT, number);
    }

    /**
     * Returns the choice of the newest version. Local, thread-safe; does not fail.
     *
     * @return the choice
     */
    public static Version last() {
      return new Version(Choice.LAST, 0);
    }

    /**
     * Parses the form that follows the character {@code @} in a location. Local, thread-safe; does
     * not fail.
     *
     * @param text {@code 17}, {@code prev:17}, {@code next:17} or {@code last}
     * @return the choice; empty if the text does not have this form, or its number exceeds 2^63-1
     */
    public static Optional<Version> parse(String text) {
      if (text.equals(LAST)) {
        return Optional.of(last());
      }
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        return Optional.empty();
      }
      // 19 digits can exceed the largest long value, but not 2^64.
      long number = Long.parseUnsignedLong(parts.group(2));
      if (number < 0) {
        return Optional.empty();
      }
      return Optional.of(
          switch (Optional.ofNullable(parts.group(1)).orElse("")) {
            case "prev" -> previous(number);
            case "next" -> next(number);
            default -> exact(number);
          });
    }

    /** Returns the form that {@link #parse} accepts. Local, thread-safe; does not fail. */
    @Override
    public String toString() {
      return switch (choice) {
        case EXACT -> Long.toString(number);
        case PREVIOUS -> "prev:" + number;
        case NEXT -> "next:" + number;
        case LAST -> LAST;
      };
    }
  }

  /**
   * Begins a transaction whose number is above all numbers in use. If the program has not delimited
   * transactions before, all unflushed changes are flushed first. Collective.
   *
   * @return the number of the transaction
   * @throws io.skerry.parallel.CollectiveException on all ranks if a transaction is open on any
   *     rank, a rank has finished parts since the last {@link #advance}, the ranks call different
   *     methods, or the storage fails
   * @throws io.skerry.parallel.CommitException on all ranks if the flush fails
   */
  long begin();

  /**
   * Begins a transaction as {@link #begin()} does, with a given number. Collective.
   *
   * @param number the number, equal on all ranks: above the newest readable version, and neither
   *     aborted nor skipped
   * @throws io.skerry.parallel.CollectiveException on all ranks in the same cases as {@link
   *     #begin()}, or if the number cannot be used, or the ranks pass different numbers
   * @throws io.skerry.parallel.CommitException on all ranks if the flush fails
   */
  void begin(long number);

  /**
   * Finishes the open transaction, and waits until it is readable. It is durable after {@link
   * #persist}. Collective.
   *
   * @return the number of the transaction, which is the version that reads return from now on
   * @throws io.skerry.parallel.CollectiveException on all ranks if no transaction is open that all
   *     ranks have begun together, or a change cannot be stored; in the latter case, the
   *     transaction can only be aborted
   */
  long finish();

  /**
   * Begins the part of this rank in a transaction in which all ranks take part. {@link #begin} or
   * {@link #advance} must have been called before. Local.
   *
   * @param number the number, as in {@link #begin(long)}
   * @throws IllegalStateException if a transaction is open on this rank, or neither {@code begin}
   *     nor {@code advance} has been called
   * @throws RuntimeException if the number cannot be used, or the storage fails
   */
  void beginPart(long number);

  /**
   * Finishes the part of this rank. Does not wait for other ranks; reads return the earlier version
   * until {@link #advance}. Local.
   *
   * @throws IllegalStateException if this rank has not begun a part
   * @throws RuntimeException if a change cannot be stored; the transaction can then only be aborted
   */
  void finishPart();

  /**
   * Waits until the transactions whose parts the ranks have finished are readable, and lets all
   * ranks read the newest version. If the program has not delimited transactions before, all
   * unflushed changes are flushed first. Collective.
   *
   * @return the newest readable version
   * @throws io.skerry.parallel.CollectiveException on all ranks if a transaction is open on any
   *     rank, or the ranks have finished parts of different transactions, which {@link #abort}
   *     removes; also if one of these transactions was aborted, or the storage fails
   * @throws io.skerry.parallel.CommitException on all ranks if the flush fails
   */
  long advance();

  /**
   * Aborts the open transaction of every rank, and all transactions that are not yet readable and
   * of which some ranks have finished their parts. All their changes are undone on all ranks,
   * including those of a failed change or {@link #finish}; the file remains usable, and the numbers
   * cannot be used again. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if no rank has such a transaction,
   *     or the storage fails
   */
  void abort();

  /**
   * Excludes unused numbers, so that no transaction can have them: for example, numbers that a
   * program with several writers leaves out. Collective.
   *
   * @param first the first number, 1 or more, equal on all ranks
   * @param last the last number, at least {@code first}, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if one of the numbers is out of
   *     range, in use or not above the newest readable version, the ranks pass different numbers,
   *     or the storage fails
   */
  void skip(long first, long last);

  /**
   * Makes all readable versions durable: when the method returns, no crash can lose them. If the
   * program does not delimit transactions, this is {@link H5File#flush}. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if the storage fails
   * @throws io.skerry.parallel.CommitException on all ranks if a flush fails
   */
  void persist();

  /**
   * Persists the newest readable version, and keeps it under a name: {@code iod:run@NAME} opens it.
   * Changes since the last {@link #finish} or {@link H5File#flush} are not in it. Collective.
   *
   * @param name the name, equal on all ranks: 1 to 100 letters, digits and, after the first
   *     character, {@code . _ -}; neither a number nor {@code last}
   * @return the number of the version
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken or does not
   *     have this form, the ranks pass different names, or the storage fails
   */
  long snapshot(String name);

  /**
   * Deletes a snapshot. Collective.
   *
   * @param name the name, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such snapshot, the
   *     ranks pass different names, or the storage fails
   */
  void deleteSnapshot(String name);

  /**
   * Returns the number of the transaction that this rank has begun. Does not use the container.
   * Local.
   *
   * @return the number; empty if none is open, the program does not delimit transactions, or the
   *     file was opened for reading, even if it is closed
   * @throws IllegalStateException if the file was opened for writing and is closed
   */
  OptionalLong current();

  /**
   * Returns the number of the newest readable version, which other ranks may have advanced; for a
   * file that is open for reading, the number of the version that it reads. Local. If several ranks
   * have the file open, one of them provides the answer, which it can do only inside a method of
   * Skerry that waits.
   *
   * @return the number; 0 is the version of a container without transactions
   * @throws IllegalStateException if the file is closed
   */
  long readable();

  /**
   * Returns the numbers of the readable versions that have not been purged. Local, like {@link
   * #readable}.
   *
   * @return the numbers in ascending order
   * @throws IllegalStateException if the file is closed
   */
  List<Long> versions();

  /**
   * Returns the names of the snapshots. Local, like {@link #readable}.
   *
   * @return the names in ascending order
   * @throws IllegalStateException if the file is closed
   */
  List<String> snapshots();
}

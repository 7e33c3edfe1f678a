package io.skerry;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The numbered transactions of a file in a container, and its versions. {@link H5File#transactions}
 * returns this object; HDF5 files have no transactions.
 *
 * <p>A version is the state of the file after a transaction, and has its number. Numbers grow, but
 * need not be consecutive. A finished transaction becomes readable when all lower ones that were
 * begun are readable or aborted, so a reader always sees a prefix of the transactions. A version is
 * kept until no file that was opened with {@link H5File#openVersion} reads it and a newer version
 * is persisted; then it is purged. A snapshot keeps a version under a name until it is deleted.
 *
 * <p>A program that does not call this interface has one transaction for each {@link H5File#flush},
 * which also persists it. From the first {@link #begin} or {@link #advance} on, the program
 * delimits its transactions itself: each change needs an open transaction, and reads outside a
 * transaction return the version that the last {@code finish}, {@code advance} or {@code abort} has
 * reached. {@link H5File#flush} then persists the finished transactions only, as {@link #persist}
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
 * throws a {@link io.skerry.parallel.CollectiveException} on all ranks. If a single rank has the
 * file open, any thread may call all methods. All methods throw {@link IllegalStateException} if
 * the file is closed; those that begin, end or persist transactions do so as well if it is open for
 * reading only, and, except for {@link #abort}, if an earlier change or flush has failed for good.
 */
public interface Transactions {
  /**
   * The choice of a version. Immutable.
   *
   * @param choice how the number chooses a version
   * @param number the number of a transaction, 0 or more; 0 for {@link Choice#LAST}
   */
  record Version(Choice choice, long number) {
    private static final Pattern FORM = Pattern.compile("(?:(prev|next):)?([0-9]{1,19})");
    private static final String LAST = "last";

    /** The version that a number chooses. */
    public enum Choice {
      /** The version of the number. */
      EXACT,
      /** The newest version that is not above the number. */
      PREVIOUS,
      /** The oldest version that is not below the number. */
      NEXT,
      /** The newest version. */
      LAST
    }

    /**
     * Checks the number. Local.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public Version {
      if (number < 0) {
        throw new IllegalArgumentException(
            "number of a version: expected=0 or more actual=" + number);
      }
    }

    /**
     * Returns the choice of exactly one version. Local.
     *
     * @param number the number of its transaction, 0 or more
     */
    public static Version exact(long number) {
      return new Version(Choice.EXACT, number);
    }

    /**
     * Returns the choice of the newest version that is not above a number. Local.
     *
     * @param number the number, 0 or more
     */
    public static Version previous(long number) {
      return new Version(Choice.PREVIOUS, number);
    }

    /**
     * Returns the choice of the oldest version that is not below a number. Local.
     *
     * @param number the number, 0 or more
     */
    public static Version next(long number) {
      return new Version(Choice.NEXT, number);
    }

    /** Returns the choice of the newest version. Local; does not fail. */
    public static Version last() {
      return new Version(Choice.LAST, 0);
    }

    /**
     * Parses the form that follows the character {@code @} in a location. Local; does not fail.
     *
     * @param text {@code 17}, {@code prev:17}, {@code next:17} or {@code last}
     * @return the choice; empty if the text has another form
     */
    public static Optional<Version> parse(String text) {
      if (text.equals(LAST)) {
        return Optional.of(last());
      }
      Matcher parts = FORM.matcher(text);
      if (!parts.matches()) {
        return Optional.empty();
      }
      // 19 digits may exceed the largest number, but not 2^64.
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

    /** Returns the form that {@link #parse} accepts. Local; does not fail. */
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
   * Begins the transaction above all numbers in use. If the program has not delimited transactions
   * before, all unflushed changes are flushed first. Collective.
   *
   * @return the number of the transaction
   * @throws io.skerry.parallel.CollectiveException on all ranks if a transaction is open on any
   *     rank, a rank has finished parts since the last {@link #advance}, or the ranks call
   *     different methods
   * @throws io.skerry.parallel.CommitException on all ranks if the flush fails
   */
  long begin();

  /**
   * Begins a transaction as {@link #begin()} does, with a given number. Collective.
   *
   * @param number the number, equal on all ranks: above the newest readable version, and neither
   *     aborted nor skipped
   * @throws io.skerry.parallel.CollectiveException on all ranks in the cases of {@link #begin()},
   *     or if the number cannot be used
   * @throws io.skerry.parallel.CommitException on all ranks if the flush fails
   */
  void begin(long number);

  /**
   * Finishes the open transaction, and waits until it is readable. It is durable after {@link
   * #persist}. Collective.
   *
   * @return the number of the transaction, which is the version that reads return from now on
   * @throws io.skerry.parallel.CollectiveException on all ranks if no transaction is open, or a
   *     change cannot be stored; the transaction can only be aborted then
   */
  long finish();

  /**
   * Begins the part of this rank in a transaction in which all ranks take part. Local; after {@link
   * #begin} or {@link #advance} has been called once.
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
   * @throws RuntimeException if a change cannot be stored; the transaction can only be aborted then
   */
  void finishPart();

  /**
   * Waits until the transactions are readable whose parts the ranks have finished, and lets all
   * ranks read the newest version. If the program has not delimited transactions before, all
   * unflushed changes are flushed first. Collective.
   *
   * @return the newest readable version
   * @throws io.skerry.parallel.CollectiveException on all ranks if a transaction is open on any
   *     rank, or the ranks have finished parts of different transactions; {@link #abort} removes
   *     these
   * @throws io.skerry.parallel.CommitException on all ranks if the flush fails
   */
  long advance();

  /**
   * Aborts the open transaction of every rank, and those whose parts some ranks have finished and
   * that are not readable. All their changes are undone on all ranks, also those of a failed change
   * or {@link #finish}; the file remains usable, and the numbers cannot be used again. Collective.
   *
   * @throws io.skerry.parallel.CollectiveException on all ranks if no rank has such a transaction,
   *     or the storage fails
   */
  void abort();

  /**
   * Forbids free numbers, for example those that a program with several writers leaves out.
   * Collective.
   *
   * @param first the first number, equal on all ranks
   * @param last the last number, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if one of the numbers is in use or
   *     not above the newest readable version
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
   * @throws io.skerry.parallel.CollectiveException on all ranks if the name is taken or has another
   *     form, or the storage fails
   */
  long snapshot(String name);

  /**
   * Deletes a snapshot. Collective.
   *
   * @param name the name, equal on all ranks
   * @throws io.skerry.parallel.CollectiveException on all ranks if there is no such snapshot, or
   *     the storage fails
   */
  void deleteSnapshot(String name);

  /**
   * Returns the number of the transaction that this rank has begun. Local.
   *
   * @return the number; empty if none is open, or the program does not delimit transactions
   */
  OptionalLong current();

  /**
   * Returns the number of the newest readable version, which other ranks may have advanced; of a
   * file that is open for reading, the version that it reads. Local. If several ranks have the file
   * open, the answer comes from one of them when it is inside a method of Skerry that waits.
   *
   * @return the number; 0 is the version of a container without transactions
   */
  long readable();

  /**
   * Returns the numbers of the readable versions that have not been purged. Local, as {@link
   * #readable}.
   *
   * @return the numbers in ascending order
   */
  List<Long> versions();

  /**
   * Returns the names of the snapshots. Local, as {@link #readable}.
   *
   * @return the names in ascending order
   */
  List<String> snapshots();
}

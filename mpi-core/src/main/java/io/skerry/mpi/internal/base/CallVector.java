package io.skerry.mpi.internal.base;

import io.skerry.mpi.CallMismatchException;
import io.skerry.mpi.CallMismatchException.Extent;
import io.skerry.mpi.CallOrder;
import io.skerry.mpi.CallOrder.Call.Kind;
import java.util.Arrays;
import java.util.SortedMap;

/**
 * The numbers that ranks exchange to compare the calls that they begin. A vector stores each
 * compared number together with its negation. In the element-wise maximum of the vectors of all
 * ranks, {@code max(number) == -max(negation)} holds if and only if the number is equal on all
 * ranks.
 *
 * <pre>
 * +0 digest of the call   +1 its negation   +2 digest of the group   +3 its negation
 * +4 kind                 +5 words of the caller (8)
 * </pre>
 */
public final class CallVector {
  private static final int KIND = 4;
  private static final int WORDS = 5;

  /** The length of a vector, in longs. */
  public static final int LENGTH = WORDS + CallOrder.MOST_WORDS;

  private CallVector() {}

  /**
   * Returns the vector of a rank that begins the given call with the given words.
   *
   * @throws IllegalArgumentException if there are more than {@link CallOrder#MOST_WORDS} words
   */
  public static long[] of(CallOrder.Call call, long... words) {
    if (words.length > CallOrder.MOST_WORDS) {
      throw new IllegalArgumentException(
          "too many words of a call: words=%d limit=%d"
              .formatted(words.length, CallOrder.MOST_WORDS));
    }
    long[] vector = new long[LENGTH];
    String groupText = call.group() + '\0' + call.instance();
    boolean inside = call.kind() == Kind.INSIDE;
    long digest = digest(call.operation() + '\0' + inside + '\0' + groupText);
    long group = digest(groupText);
    vector[0] = digest;
    vector[1] = -digest;
    vector[2] = group;
    vector[3] = -group;
    vector[KIND] = call.kind().ordinal();
    System.arraycopy(words, 0, vector, WORDS, words.length);
    return vector;
  }

  /**
   * Replaces each number in {@code all} with the greater of itself and the number at the same index
   * in {@code other}.
   */
  public static void combine(long[] all, long[] other) {
    for (int i = 0; i < LENGTH; i++) {
      all[i] = Math.max(all[i], other[i]);
    }
  }

  /**
   * Returns whether all ranks have begun the same call, given the element-wise maximum of their
   * vectors.
   */
  public static boolean isSame(long[] all) {
    return all[0] == -all[1];
  }

  /**
   * Returns the first {@code count} words of the caller from the element-wise maximum of the
   * vectors of all ranks.
   */
  public static long[] words(long[] all, int count) {
    return Arrays.copyOfRange(all, WORDS, WORDS + count);
  }

  /**
   * Returns the exception that all ranks throw if their calls differ.
   *
   * @param all the element-wise maximum of the vectors of all ranks
   * @param positions the calls of some or all ranks, by rank
   */
  public static CallMismatchException mismatch(long[] all, SortedMap<Integer, String> positions) {
    return new CallMismatchException(
        positions,
        all[2] == -all[3] ? Extent.ONE_GROUP : Extent.SEVERAL_GROUPS,
        Kind.values()[(int) all[KIND]]);
  }

  /**
   * Returns the position of a rank: the text by which error messages describe the call that the
   * rank has begun.
   *
   * @param call the call that the rank has begun
   * @param number the number of calls that the rank has begun on the communicator, not counting
   *     agreements inside calls
   */
  public static String position(CallOrder.Call call, long number) {
    return call.kind() == Kind.LEAVING
        ? "has left"
        : (call.kind() == Kind.INSIDE ? "is inside " : "is in ") + call + ", call " + number;
  }

  // The FNV-1a hash shifted right by two bits, so that it is nonnegative and can be negated.
  private static long digest(String text) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < text.length(); i++) {
      hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
    }
    return hash >>> 2;
  }
}

package io.skerry.cache.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Passes hits from the threads that access chunks to the thread that maintains the {@link
 * EvictionOrder}, without locks and without allocation. Hits may be lost: a policy does not need
 * every hit, whereas waiting would slow the threads down.
 *
 * <p>The buffer has stripes, and a thread always uses the same stripe. A stripe is a ring with two
 * positions that only increase: {@code tail}, up to which producers have claimed slots, and {@code
 * head}, up to which the drainer has emptied them. Padding between positions and between rings
 * avoids false sharing.
 *
 * <p>Correctness:
 *
 * <ul>
 *   <li>A producer claims slot {@code tail} by compare-and-set, so no two producers claim the same
 *       slot. If the compare-and-set fails, another thread has claimed the slot, and the hit is
 *       lost.
 *   <li>A producer claims a slot only if {@code tail - head} is less than the length of the ring.
 *       It reads {@code head} with acquire semantics, and the drainer writes it with release
 *       semantics after it has emptied the slots below {@code head}. Emptying a slot therefore
 *       happens-before the next claim of that slot and the store of the new element, and cannot
 *       erase that element. An outdated value of {@code head} only makes the ring appear fuller
 *       than it is. {@code head} is read after {@code tail} and may have passed that value; the
 *       difference is then negative, and the compare-and-set fails because {@code tail} has
 *       advanced too.
 *   <li>Between claim and store, the slot is empty. The drainer stops at an empty slot and
 *       continues there the next time, so no element is skipped or taken before it is stored.
 *   <li>An element is stored with release semantics and loaded with acquire semantics, so the
 *       drainer sees it as the producer did. One drainer at a time empties slots and advances
 *       {@code head}; the lock that ensures this also establishes an order between successive
 *       drainers.
 * </ul>
 *
 * @param <E> type of the elements
 */
public final class RecencyBuffer<E> {
  private static final VarHandle POSITIONS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);

  /** Padding of two 64-byte cache lines: 16 longs, or 32 references of 4 bytes. */
  private static final int LONGS_APART = 16;

  private static final int REFERENCES_APART = 32;
  private static final int SLOTS_PER_STRIPE = 256;
  private static final int MOST_STRIPES = 64;

  private final int stripeMask;
  private final int slotMask;
  private final int slotsApart;

  /** Tail and head of each stripe in turn, each with unused longs before and after it. */
  private final long[] positions;

  /** The rings of all stripes, with unused slots between them. */
  private final Object[] slots;

  /** Creates a buffer sized for the number of available processors. */
  public RecencyBuffer() {
    this(
        Math.min(MOST_STRIPES, powerOfTwo(2 * Runtime.getRuntime().availableProcessors())),
        SLOTS_PER_STRIPE);
  }

  /**
   * Creates a buffer.
   *
   * @param stripes number of stripes, a power of two
   * @param slotsPerStripe length of each ring, a power of two
   */
  RecencyBuffer(int stripes, int slotsPerStripe) {
    if (Integer.bitCount(stripes) != 1 || Integer.bitCount(slotsPerStripe) != 1) {
      throw new IllegalArgumentException(
          "powers of two are needed: stripes=" + stripes + " slotsPerStripe=" + slotsPerStripe);
    }
    stripeMask = stripes - 1;
    slotMask = slotsPerStripe - 1;
    slotsApart = slotsPerStripe + REFERENCES_APART;
    positions = new long[(2 * stripes + 1) * LONGS_APART];
    slots = new Object[stripes * slotsApart + REFERENCES_APART];
  }

  private static int powerOfTwo(int least) {
    return 1 << (Integer.SIZE - Integer.numberOfLeadingZeros(least - 1));
  }

  /** Returns the index of the tail of a stripe; its head is {@link #LONGS_APART} elements later. */
  private static int tailOf(int stripe) {
    return (2 * stripe + 1) * LONGS_APART - LONGS_APART / 2;
  }

  private int slotOf(int stripe, long position) {
    return REFERENCES_APART + stripe * slotsApart + ((int) position & slotMask);
  }

  /**
   * Returns the stripe of the calling thread. Threads with consecutive IDs usually get different
   * stripes.
   */
  private int stripeOfThisThread() {
    long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & stripeMask;
  }

  /**
   * Records an element for the next {@link #drainTo}. Local, thread-safe. A caller whose element is
   * not recorded may ignore the loss, or drain the buffer if it can acquire the eviction lock
   * without waiting.
   *
   * @return false if the element is not recorded, because the ring is full or another thread
   *     claimed the slot first
   */
  public boolean offer(E element) {
    int stripe = stripeOfThisThread();
    int at = tailOf(stripe);
    long tail = (long) POSITIONS.getAcquire(positions, at);
    long head = (long) POSITIONS.getAcquire(positions, at + LONGS_APART);
    if (tail - head > slotMask || !POSITIONS.compareAndSet(positions, at, tail, tail + 1)) {
      return false;
    }
    SLOTS.setRelease(slots, slotOf(stripe, tail), element);
    return true;
  }

  /** Returns whether the stripe of the calling thread is full. */
  public boolean isFull() {
    int at = tailOf(stripeOfThisThread());
    long tail = (long) POSITIONS.getAcquire(positions, at);
    long head = (long) POSITIONS.getAcquire(positions, at + LONGS_APART);
    return tail - head > slotMask;
  }

  /**
   * Removes recorded elements and passes them to a consumer; the elements of one thread arrive in
   * the order in which that thread offered them. Only one thread at a time may call this method.
   * Elements may remain in the buffer while other threads record elements.
   */
  @SuppressWarnings("unchecked")
  public void drainTo(Consumer<E> consumer) {
    for (int stripe = 0; stripe <= stripeMask; stripe++) {
      int at = tailOf(stripe);
      long head = (long) POSITIONS.get(positions, at + LONGS_APART);
      long tail = (long) POSITIONS.getAcquire(positions, at);
      while (head < tail) {
        int slot = slotOf(stripe, head);
        Object element = SLOTS.getAcquire(slots, slot);
        if (element == null) {
          break;
        }
        SLOTS.set(slots, slot, null);
        head++;
        // The head is advanced before the call, so that a consumer that throws does not get the
        // same element twice.
        POSITIONS.setRelease(positions, at + LONGS_APART, head);
        consumer.accept((E) element);
      }
    }
  }
}

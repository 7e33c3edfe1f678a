package io.skerry.cache.policy;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;

/**
 * Brings hits from the threads that have them to the one that keeps the {@link EvictionOrder},
 * without a lock and without allocation. Lossy: which of many hits are told does not matter to a
 * policy, a thread that waits to tell one would.
 *
 * <p>The buffer has stripes, and a thread always offers to the same one, so that two threads seldom
 * meet. A stripe is a ring with two positions that only grow: {@code tail}, up to which producers
 * have claimed slots, and {@code head}, up to which the drainer has emptied them. Each position has
 * cache lines of its own, and so has the ring, or a thread's claim would take the line from all
 * others.
 *
 * <p>Why it is right:
 *
 * <ul>
 *   <li>A producer claims slot {@code tail} by compare-and-set, so no two claim the same one. If
 *       the exchange fails, somebody else has just claimed it, and the hit is lost.
 *   <li>It claims only if {@code tail - head} is less than the ring's length. It read {@code head}
 *       with acquire, the drainer wrote it with release after it had emptied the slots before it:
 *       the emptying happens before the claim, hence before the new element, and cannot wipe it
 *       out. An old value of {@code head} only makes the ring look fuller than it is. {@code head}
 *       is read after {@code tail} and can have passed that value by then; the difference is
 *       negative, and the exchange fails, since {@code tail} has moved on.
 *   <li>Between claim and store the slot is empty. The drainer stops at an empty slot and finds it
 *       filled another time: an element is neither skipped nor taken before it is there.
 *   <li>The element is stored with release and loaded with acquire, so the drainer sees it as the
 *       producer did. Emptying a slot and moving {@code head} is done by one drainer at a time; the
 *       lock that ensures this orders one after the other.
 * </ul>
 *
 * @param <E> what was hit
 */
public final class RecencyBuffer<E> {
  private static final VarHandle POSITIONS = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle SLOTS = MethodHandles.arrayElementVarHandle(Object[].class);

  /** Two cache lines of 64 bytes, which processors fetch in pairs: 16 longs, 32 references. */
  private static final int LONGS_APART = 16;

  private static final int REFERENCES_APART = 32;
  private static final int SLOTS_PER_STRIPE = 256;
  private static final int MOST_STRIPES = 64;

  private final int stripeMask;
  private final int slotMask;
  private final int slotsApart;

  /** Tail and head of stripe 0, of stripe 1 ..., each with unused longs before and after it. */
  private final long[] positions;

  /** The rings one after the other, with unused slots between them. */
  private final Object[] slots;

  /** A buffer for as many threads as this machine runs at once. */
  public RecencyBuffer() {
    this(
        Math.min(MOST_STRIPES, powerOfTwo(2 * Runtime.getRuntime().availableProcessors())),
        SLOTS_PER_STRIPE);
  }

  /**
   * @param stripes a power of two
   * @param slotsPerStripe a power of two
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

  /** Index of the tail; the head comes {@link #LONGS_APART} behind it. */
  private static int tailOf(int stripe) {
    return (2 * stripe + 1) * LONGS_APART - LONGS_APART / 2;
  }

  private int slotOf(int stripe, long position) {
    return REFERENCES_APART + stripe * slotsApart + ((int) position & slotMask);
  }

  /** Threads with neighbouring numbers get different stripes. */
  private int stripeOfThisThread() {
    long mixed = Thread.currentThread().threadId() * 0x9E3779B97F4A7C15L;
    return (int) (mixed >>> 32) & stripeMask;
  }

  /**
   * Notes an element for the next {@link #drainTo}. Any thread may call this at any time. Who is
   * refused goes on as if nothing had happened, or drains if it gets the lock without waiting.
   *
   * @return whether it is noted; not if the buffer is full or another thread was quicker
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

  /**
   * Returns whether there is no more space for what the calling thread offers, until it is drained.
   */
  public boolean isFull() {
    int at = tailOf(stripeOfThisThread());
    long tail = (long) POSITIONS.getAcquire(positions, at);
    long head = (long) POSITIONS.getAcquire(positions, at + LONGS_APART);
    return tail - head > slotMask;
  }

  /**
   * Takes out what was noted, for each thread in the order of its hits. One thread at a time may
   * call this, others may go on offering; what they offer meanwhile may stay for the next time.
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
        // Before the consumer gets it: one that throws must not get the same element twice.
        POSITIONS.setRelease(positions, at + LONGS_APART, head);
        consumer.accept((E) element);
      }
    }
  }
}

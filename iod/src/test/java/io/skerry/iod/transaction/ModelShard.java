package io.skerry.iod.transaction;

import io.skerry.iod.engine.Changes;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.engine.Entry;
import io.skerry.iod.engine.Page;
import io.skerry.iod.engine.PageLimit;
import io.skerry.iod.engine.Place;
import io.skerry.iod.engine.PurgedException;
import io.skerry.iod.engine.Range;
import io.skerry.iod.engine.Shard;
import io.skerry.iod.engine.Version;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.SegmentAllocator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A shard for exhaustive tests: each transaction changes the tile 0 and the tile of its own number.
 * Sets of transactions are bits. Changes are visible when they are prepared; what is not durable is
 * lost in a crash of the machine, and so are removals. Not thread-safe.
 */
final class ModelShard implements Shard {
  private final int number;
  private int visible;
  private int durable;
  private int hidden;
  private int growing;
  private long oldest;
  private int isRecovered;

  ModelShard(int number) {
    this.number = number;
  }

  private static int bit(long transaction) {
    return 1 << transaction;
  }

  private static int upTo(long transaction) {
    return (2 << transaction) - 1;
  }

  /** Ends the process; the operating system keeps what it has received. */
  void crash() {
    isRecovered = 0;
    growing = 0;
  }

  /** Ends the process and the machine. */
  void losePower() {
    crash();
    visible = durable;
  }

  /** Returns the durable transactions up to a mark as bits. */
  int durable(long mark) {
    return durable & upTo(mark);
  }

  /** Returns the visible transactions up to a mark as bits. */
  int visible(long mark) {
    return visible & upTo(mark);
  }

  /** Returns the transactions whose changes have neither been prepared nor aborted, as bits. */
  int growing() {
    return growing;
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public void recover(long mark) {
    if (isRecovered == 1 || mark < oldest) {
      throw new IllegalStateException("recover " + mark + " oldest " + oldest);
    }
    isRecovered = 1;
    visible &= upTo(mark);
  }

  private void requireUnreadable(long transaction) {
    if (isRecovered == 0 || transaction <= oldest) {
      throw new IllegalStateException("transaction " + transaction + " oldest " + oldest);
    }
  }

  @Override
  public Changes change(long transaction) {
    requireUnreadable(transaction);
    if ((visible & bit(transaction)) != 0) {
      throw new IllegalStateException("there are changes of the transaction " + transaction);
    }
    growing |= bit(transaction);
    return new ModelChanges(this, transaction);
  }

  private void prepared(long transaction, Durability durability) {
    visible |= bit(transaction);
    growing &= ~bit(transaction);
    if (durability == Durability.SYNCED) {
      durable |= bit(transaction);
    }
  }

  @Override
  public void persist() {
    durable = visible;
  }

  @Override
  public void abort(long transaction) {
    requireUnreadable(transaction);
    visible &= ~bit(transaction);
    growing &= ~bit(transaction);
  }

  @Override
  public void purge(long transaction) {
    if (transaction > oldest) {
      oldest = transaction;
      int below = visible & upTo(transaction);
      hidden |= below & ~Integer.highestOneBit(below);
    }
  }

  @Override
  public long oldest() {
    return oldest;
  }

  @Override
  public Optional<Version> find(Place place, long transaction) {
    if (transaction < oldest) {
      throw new PurgedException("model", number, transaction, oldest);
    }
    long tile = ((Place.Tile) place).number();
    int found =
        tile == 0
            ? Integer.highestOneBit(visible & ~hidden & upTo(transaction))
            : visible & upTo(transaction) & bit(tile);
    return found == 0
        ? Optional.empty()
        : Optional.of(new Version(place, Integer.numberOfTrailingZeros(found), OptionalLong.of(1)));
  }

  @Override
  public List<Long> transactions() {
    List<Long> found = new ArrayList<>();
    for (long n = 1; n < 31; n++) {
      if ((visible & bit(n)) != 0 && n > oldest) {
        found.add(n);
      }
    }
    return found;
  }

  @Override
  public Optional<MemorySegment> get(Place place, long transaction, SegmentAllocator memory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Page<Version> list(Range range, long transaction, PageLimit limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Page<Entry> scan(Range range, long transaction, PageLimit limit, SegmentAllocator memory) {
    throw new UnsupportedOperationException();
  }

  @Override
  public Page<Version> history(Optional<Version> after, PageLimit limit) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void verify(Consumer<String> findings) {
    throw new UnsupportedOperationException();
  }

  /** Changes of the two tiles. */
  static final class ModelChanges implements Changes {
    private final ModelShard shard;
    private final long transaction;
    private int isEnded;

    ModelChanges(ModelShard shard, long transaction) {
      this.shard = shard;
      this.transaction = transaction;
    }

    @Override
    public long transaction() {
      return transaction;
    }

    @Override
    public void put(Place place, MemorySegment value) {
      if (isEnded == 1) {
        throw new IllegalStateException("the changes have ended");
      }
    }

    @Override
    public void remove(Place place) {
      throw new UnsupportedOperationException();
    }

    @Override
    public void flush() {
      throw new UnsupportedOperationException();
    }

    @Override
    public void prepare(Durability durability) {
      isEnded = 1;
      shard.prepared(transaction, durability);
    }

    @Override
    public void close() {
      isEnded = 1;
      shard.growing &= ~bit(transaction);
    }
  }
}

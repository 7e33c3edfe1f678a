package io.skerry.iod.object.lease;

import io.skerry.iod.object.IdSource;
import io.skerry.iod.object.ObjectType;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;

/**
 * The object numbers of a client, which uses up one lease after another. The numbers that remain
 * when the client ends are never used. Local, thread-safe.
 */
public final class LeasedIds implements IdSource {
  private final Function<ObjectType, IdLease> leases;
  private final Map<ObjectType, Cursor> current = new EnumMap<>(ObjectType.class);

  /** The numbers that remain of a lease. */
  private static final class Cursor {
    private final long end;
    private long next;

    Cursor(IdLease lease) {
      this.next = lease.first();
      this.end = lease.first() + IdLease.BLOCK;
    }
  }

  /**
   * Creates a source of numbers.
   *
   * @param leases returns a new lease for a type
   */
  public LeasedIds(Function<ObjectType, IdLease> leases) {
    this.leases = leases;
  }

  @Override
  public synchronized long next(ObjectType type) {
    Cursor cursor = current.get(type);
    if (cursor == null || cursor.next == cursor.end) {
      cursor = new Cursor(leases.apply(type));
      current.put(type, cursor);
    }
    long number = cursor.next;
    cursor.next++;
    return number;
  }
}

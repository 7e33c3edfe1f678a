package io.skerry.collective.core;

import io.skerry.collective.view.AgreedFile;
import io.skerry.parallel.Operation;
import io.skerry.parallel.TransferReport;
import io.skerry.parallel.TransferReport.Departure;
import java.util.EnumSet;
import java.util.Set;

/** Counts the transfers of one operation for a {@link TransferReport}. Thread-safe. */
public final class TransferMeter {
  private final AgreedFile file;
  private final Set<Departure> departures = EnumSet.noneOf(Departure.class);
  private TransferReport began = TransferReport.none();
  private AgreedFile.Calls before = AgreedFile.Calls.NONE;
  private long rounds;
  private long owned;
  private long shared;
  private long moved;
  private long allocated;

  TransferMeter(AgreedFile file) {
    this.file = file;
  }

  /** Begins an operation with all counts at 0. */
  public synchronized void begin(Operation operation, String subject) {
    began = new TransferReport(operation, subject, 0, 0, 0, 0, 0, 0, 0, 0, Set.of());
    before = file.calls();
    departures.clear();
    rounds = 0;
    owned = 0;
    shared = 0;
    moved = 0;
    allocated = 0;
  }

  public synchronized void rounds(long agreed) {
    rounds = agreed;
  }

  /**
   * Sets the counts of chunks that this rank owns.
   *
   * @param chunks the number of chunks
   * @param ofSeveral the number of these chunks to which several ranks write
   */
  public synchronized void owns(long chunks, long ofSeveral) {
    owned = chunks;
    shared = ofSeveral;
  }

  public synchronized void moves(long bytes) {
    moved += bytes;
  }

  public synchronized void allocates(long bytes) {
    allocated += bytes;
  }

  public synchronized void departs(Departure way) {
    departures.add(way);
  }

  public synchronized TransferReport report() {
    AgreedFile.Calls calls = file.calls();
    return new TransferReport(
        began.operation(),
        began.subject(),
        rounds,
        owned,
        shared,
        moved,
        allocated,
        calls.written() - before.written(),
        calls.read() - before.read(),
        calls.extents() - before.extents(),
        departures);
  }
}

package io.skerry.peers;

import io.tiledb.java.api.Query;
import io.tiledb.java.api.TileDBError;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Coordinates and values of cells in the form that TileDB requires: one buffer in native memory for
 * each coordinate and one for the values.
 */
final class Cells {
  static final String FRAME = "frame";
  static final String ROW = "row";
  static final String COLUMN = "column";
  static final String VALUE = "value";

  private final ByteBuffer frames;
  private final ByteBuffer rows;
  private final ByteBuffer columns;
  private final ByteBuffer values;
  private int count;

  /**
   * Allocates buffers for cells.
   *
   * @param room the maximum number of cells
   */
  Cells(int room) {
    frames = allocate(room * Integer.BYTES);
    rows = allocate(room * Short.BYTES);
    columns = allocate(room * Short.BYTES);
    values = allocate(room * Short.BYTES);
  }

  private static ByteBuffer allocate(int bytes) {
    return ByteBuffer.allocateDirect(bytes).order(ByteOrder.nativeOrder());
  }

  /** Adds a cell. */
  void put(int frame, int index, short value) {
    frames.putInt(count * Integer.BYTES, frame);
    rows.putShort(count * Short.BYTES, (short) (index / Frames.SIDE));
    columns.putShort(count * Short.BYTES, (short) (index % Frames.SIDE));
    values.putShort(count * Short.BYTES, value);
    count++;
  }

  /** Passes the buffers to a query, which writes their content or fills them. */
  void lend(Query query) throws TileDBError {
    query.setDataBuffer(FRAME, frames);
    query.setDataBuffer(ROW, rows);
    query.setDataBuffer(COLUMN, columns);
    query.setDataBuffer(VALUE, values);
  }

  /** Sets the number of cells to the number of cells that a query has stored in the buffers. */
  void taken(Query query) throws TileDBError {
    count = Math.toIntExact(query.resultBufferElementsNIO(VALUE, Short.BYTES).getSecond());
  }

  /** Returns the sum of {@link Frames#token} over all cells. */
  long checksum() {
    long sum = 0;
    for (int i = 0; i < count; i++) {
      sum +=
          Frames.token(
              frames.getInt(i * Integer.BYTES),
              rows.getShort(i * Short.BYTES),
              columns.getShort(i * Short.BYTES),
              values.getShort(i * Short.BYTES));
    }
    return sum;
  }
}

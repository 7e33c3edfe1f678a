package io.skerry.collective.live;

import io.skerry.format.live.LiveSlot;
import io.skerry.format.live.LiveSlot.Record;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Chooses the places of records in a live file. All ranks make the same choice, since they pass the
 * same records. Local.
 */
final class SavedSpace {
  private SavedSpace() {}

  /**
   * Returns the record of the epoch that is being prepared, with space for more bytes. The last
   * record is extended if it belongs to that epoch and the space after it is free, so that the
   * number of records does not grow with the number of writes.
   *
   * @param records the records that readers may use, in the order of their epochs
   * @param unfinished further ranges that readers may use: records of attempts that failed
   * @param bytes the number of bytes to add
   * @return the record; its last {@code bytes} bytes are new
   */
  static Record extended(List<Record> records, List<Record> unfinished, long epoch, long bytes) {
    List<Record> used = new ArrayList<>(records);
    used.addAll(unfinished);
    if (!records.isEmpty() && records.getLast().epoch() == epoch) {
      Record last = records.getLast();
      Record longer = new Record(epoch, last.offset(), last.length() + bytes);
      if (used.stream().allMatch(other -> other.equals(last) || areApart(other, longer))) {
        return longer;
      }
    }
    used.sort(Comparator.comparingLong(Record::offset));
    long at = LiveSlot.HEAD;
    for (Record record : used) {
      if (record.offset() - at >= bytes) {
        break;
      }
      at = Math.max(at, record.end());
    }
    return new Record(epoch, at, bytes);
  }

  private static boolean areApart(Record first, Record second) {
    return first.end() <= second.offset() || second.end() <= first.offset();
  }
}

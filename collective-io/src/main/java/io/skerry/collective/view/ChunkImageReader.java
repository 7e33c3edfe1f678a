package io.skerry.collective.view;

import io.skerry.chunk.ChunkImage;
import io.skerry.chunk.bytes.Leases;
import io.skerry.collective.step.LocalStatus;
import io.skerry.exception.FormatException;
import io.skerry.format.index.api.ChunkRecord;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MemoryView;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads the images of stored chunks, either with one collective vector read or independently. */
public final class ChunkImageReader {
  private final AgreedFile file;
  private final String name;

  /**
   * Creates a reader for a file.
   *
   * @param name the name of the file, for messages
   */
  public ChunkImageReader(AgreedFile file, String name) {
    this.file = file;
    this.name = name;
  }

  /**
   * Reads the chunk images to which the records of this rank refer. Collective; ranks without
   * records take part.
   *
   * @param leases the owner of the returned bytes
   * @return the image of each record; empty if this rank has failed
   */
  public Map<ChunkRecord, ChunkImage> read(
      List<ChunkRecord> records, Leases leases, LocalStatus status) {
    TreeMap<Long, ChunkRecord> byAddress = new TreeMap<>();
    FileView.Builder view = FileView.builder();
    MemorySegment bytes =
        status.attempt(
            () -> {
              check(records);
              long total = 0;
              for (ChunkRecord record : records) {
                if (byAddress.put(record.address(), record) == null) {
                  total += record.sections().size();
                }
              }
              byAddress.forEach((address, record) -> view.add(address, record.sections().size()));
              return leases.take(total);
            },
            MemorySegment.NULL);
    FileView wanted = status.attempt(view::build, FileView.EMPTY);
    file.readAll(status, wanted, bytes);
    Map<ChunkRecord, ChunkImage> images = new HashMap<>();
    if (status.isGood()) {
      long at = 0;
      for (ChunkRecord record : byAddress.values()) {
        long size = record.sections().size();
        images.put(record, new ChunkImage(bytes.asSlice(at, size), record.sections()));
        at += size;
      }
    }
    return images;
  }

  /**
   * Checks that chunks are within the file and do not overlap. Equal records count as one chunk.
   *
   * @throws FormatException if a chunk is outside the file, or two chunks with different records
   *     overlap
   */
  public void check(List<ChunkRecord> records) {
    long fileSize = file.size();
    records.forEach(record -> check(record, fileSize));
    checkApart(records);
  }

  /**
   * Checks that chunks do not overlap. In a damaged file, a chunk that overlaps another one would
   * contain values of the other chunk.
   */
  private void checkApart(List<ChunkRecord> records) {
    TreeMap<Long, ChunkRecord> byAddress = new TreeMap<>();
    records.forEach(record -> byAddress.putIfAbsent(record.address(), record));
    for (ChunkRecord record : records) {
      ChunkRecord kept = byAddress.get(record.address());
      if (kept != null && !kept.equals(record)) {
        throw overlap(record.address(), kept.address() + kept.sections().size());
      }
    }
    long end = 0;
    for (ChunkRecord record : byAddress.values()) {
      if (record.address() < end) {
        throw overlap(record.address(), end);
      }
      end = record.address() + record.sections().size();
    }
  }

  private FormatException overlap(long address, long end) {
    return new FormatException("chunks overlap", "an address from " + end, address)
        .inFile(name)
        .atAddress(address);
  }

  /**
   * Reads one image without involving other ranks. Independent, thread-safe.
   *
   * @param leases the owner of the returned bytes
   */
  public ChunkImage readAlone(ChunkRecord record, Leases leases) {
    check(record, file.size());
    MemorySegment bytes = leases.take(record.sections().size());
    file.read(record.address(), bytes);
    return new ChunkImage(bytes, record.sections());
  }

  /**
   * Reads consecutive bytes of one image without involving other ranks. Independent, thread-safe.
   *
   * @param offset the offset of the bytes in the image
   * @param into the memory for the bytes, which must be within the image
   */
  public void readAlone(ChunkRecord record, long offset, MemorySegment into) {
    check(record, file.size());
    file.read(record.address() + offset, into);
  }

  /**
   * Reads the bytes of one chunk into blocks of memory, if the file supports this. Independent,
   * thread-safe.
   *
   * @return true if the blocks were filled
   */
  public boolean scatterAlone(ChunkRecord record, MemorySegment memory, MemoryView places) {
    check(record, file.size());
    return file.scatter(record.address(), memory, places);
  }

  /**
   * Checks that a chunk is within the file.
   *
   * @throws FormatException if the chunk is outside the file
   */
  public void check(ChunkRecord record) {
    check(record, file.size());
  }

  private void check(ChunkRecord record, long fileSize) {
    long size = record.sections().checked().size();
    file.requirePresent(record.address(), size);
    if (record.address() < 0 || record.address() > fileSize - size) {
      throw new FormatException(
              "a chunk lies outside the file", "0.." + fileSize, record.address() + "+" + size)
          .inFile(name)
          .atAddress(record.address());
    }
  }
}

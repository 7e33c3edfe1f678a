package io.skerry.collective.step;

import io.skerry.format.block.AddressMapping;
import io.skerry.format.block.ByteSource;
import java.lang.foreign.MemorySegment;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Reads bytes of an open file. Within a step of all ranks, bytes that rank 0 has read and broadcast
 * are not read from the file again.
 *
 * @param source the source that reads the file independently of other ranks
 * @param reads the bytes that rank 0 has read and broadcast in the current step
 * @param file the number of the file among the files that share the broadcast
 */
public record BroadcastSource(ByteSource source, MetadataBroadcast reads, int file)
    implements ByteSource {
  @Override
  public MemorySegment read(long address, long length) {
    Optional<MemorySegment> known = reads.recall(file, address, length);
    if (known.isPresent()) {
      return known.get();
    }
    MemorySegment bytes = source.read(address, length);
    reads.remember(file, address, bytes);
    return bytes;
  }

  @Override
  public void read(long address, MemorySegment into) {
    Optional<MemorySegment> known = reads.recall(file, address, into.byteSize());
    if (known.isPresent()) {
      into.copyFrom(known.get());
      return;
    }
    source.read(address, into);
    reads.remember(file, address, into);
  }

  @Override
  public long size() {
    OptionalLong known = reads.recallSize(file);
    if (known.isPresent()) {
      return known.getAsLong();
    }
    long size = source.size();
    reads.rememberSize(file, size);
    return size;
  }

  @Override
  public AddressMapping places() {
    return source.places();
  }

  @Override
  public String name() {
    return source.name();
  }
}

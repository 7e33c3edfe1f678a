package io.skerry.chunk.filter.plugin;

import io.skerry.chunk.filter.bits.BitTransposition;
import io.skerry.chunk.filter.bits.ByteTransposition;
import io.skerry.chunk.filter.codec.BlockCodec;
import java.io.ByteArrayOutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Compresses data into a Blosc container: the header, the offsets of the blocks, and the blocks.
 */
final class BloscWriter {
  private final BloscHeader header;
  private final BlockCodec codec;
  private final byte[] bytes;
  private final ByteArrayOutputStream blocks;

  BloscWriter(BloscHeader header, BlockCodec codec, byte[] bytes) {
    this.header = header;
    this.codec = codec;
    this.bytes = bytes;
    this.blocks = new ByteArrayOutputStream(bytes.length / 2 + 16);
  }

  byte[] container() {
    int count = header.blocks();
    ByteBuffer places = ByteBuffer.allocate(4 * count).order(ByteOrder.LITTLE_ENDIAN);
    int first = BloscHeader.SIZE + places.capacity();
    for (int i = 0; i < count; i++) {
      int from = (int) (i * header.block());
      int to = (int) Math.min(from + header.block(), bytes.length);
      places.putInt(first + blocks.size());
      block(shuffled(Arrays.copyOfRange(bytes, from, to)));
    }
    int stored = first + blocks.size();
    BloscHeader full =
        new BloscHeader(header.flags(), header.typeSize(), header.bytes(), header.block(), stored);
    byte[] out = Arrays.copyOf(full.write(), stored);
    System.arraycopy(places.array(), 0, out, BloscHeader.SIZE, places.capacity());
    System.arraycopy(blocks.toByteArray(), 0, out, first, blocks.size());
    return out;
  }

  private void block(byte[] block) {
    int pieces = header.pieces(block.length);
    int length = block.length / pieces;
    MemorySegment whole = MemorySegment.ofArray(block);
    for (int i = 0; i < pieces; i++) {
      MemorySegment plain = whole.asSlice((long) i * length, length);
      MemorySegment packed = CompressedOutput.block(codec, plain);
      MemorySegment stored = packed.byteSize() < length ? packed : plain;
      blocks.writeBytes(
          ByteBuffer.allocate(4)
              .order(ByteOrder.LITTLE_ENDIAN)
              .putInt((int) stored.byteSize())
              .array());
      blocks.writeBytes(stored.toArray(ValueLayout.JAVA_BYTE));
    }
  }

  private byte[] shuffled(byte[] block) {
    int size = header.typeSize();
    int count = block.length / size;
    byte[] out = new byte[block.length];
    switch (header.shuffle()) {
      case NONE -> {
        return block;
      }
      case BYTES -> ByteTransposition.toPlanes(block, out, count, size);
      case BITS -> {
        if (count == 0 || count % 8 != 0) {
          return block;
        }
        BitTransposition.toPlanes(block, out, count, size);
      }
    }
    return out;
  }
}

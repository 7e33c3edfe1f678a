package io.skerry.chunk.filter.packed;

import io.skerry.chunk.filter.bits.BitInput;
import io.skerry.chunk.filter.bits.BitOutput;
import io.skerry.chunk.filter.packed.NumberBytes.Order;
import io.skerry.exception.FormatException;
import java.util.ArrayList;
import java.util.List;

/**
 * An element as the nbit filter describes it: a tree of numbers with significant bits, arrays,
 * compounds, and bytes that are stored completely.
 *
 * <p>The description starts at index 3 of the client data. Bases and members are descriptions, too:
 *
 * <pre>
 * number    1 | size | order (0 little, 1 big) | precision | offset
 * array     2 | size | base
 * compound  3 | size | members | { offset | member } ...
 * bytes     4 | size
 * </pre>
 */
sealed interface NbitType {
  /** Maximum nesting depth; deeper nesting is treated as damage. */
  int MAX_DEPTH = 200;

  /** Returns the size of an element in bytes. */
  int size();

  /** Reads the bits of an element from the stream and stores its bytes in zeroed memory. */
  void unpack(BitInput in, byte[] out, int at);

  /** Appends the bits of an element to the stream. */
  void pack(byte[] in, int at, BitOutput out);

  /** A number with {@code precision} significant bits starting at bit {@code offset}. */
  record Number(int size, Order order, int precision, int offset) implements NbitType {
    @Override
    public void unpack(BitInput in, byte[] out, int at) {
      if (size <= 8) {
        NumberBytes.set(out, at, size, order, in.bits(precision) << offset);
        return;
      }
      for (int i = top(); i >= offset >> 3; i--) {
        out[at + place(i)] = (byte) (in.bits(count(i)) << shift(i));
      }
    }

    @Override
    public void pack(byte[] in, int at, BitOutput out) {
      if (size <= 8) {
        out.put(NumberBytes.get(in, at, size, order) >>> offset, precision);
        return;
      }
      for (int i = top(); i >= offset >> 3; i--) {
        out.put((in[at + place(i)] & 0xff) >>> shift(i), count(i));
      }
    }

    /**
     * Returns the index of the highest byte that contains a significant bit, counted from the
     * lowest byte.
     */
    private int top() {
      return offset + precision - 1 >> 3;
    }

    private int place(int i) {
      return order == Order.LITTLE ? i : size - 1 - i;
    }

    private int shift(int i) {
      return Math.max(0, offset - 8 * i);
    }

    private int count(int i) {
      return Math.min(8, offset + precision - 8 * i) - shift(i);
    }
  }

  /** An array of elements. */
  record Repeated(int size, NbitType base) implements NbitType {
    @Override
    public void unpack(BitInput in, byte[] out, int at) {
      for (int i = 0; i <= size - base.size(); i += base.size()) {
        base.unpack(in, out, at + i);
      }
    }

    @Override
    public void pack(byte[] in, int at, BitOutput out) {
      for (int i = 0; i <= size - base.size(); i += base.size()) {
        base.pack(in, at + i, out);
      }
    }
  }

  /** A compound: members at given offsets. */
  record Members(int size, List<Member> members) implements NbitType {
    record Member(int offset, NbitType type) {}

    @Override
    public void unpack(BitInput in, byte[] out, int at) {
      for (Member member : members) {
        member.type.unpack(in, out, at + member.offset);
      }
    }

    @Override
    public void pack(byte[] in, int at, BitOutput out) {
      for (Member member : members) {
        member.type.pack(in, at + member.offset, out);
      }
    }
  }

  /** Bytes that are stored completely. */
  record Whole(int size) implements NbitType {
    @Override
    public void unpack(BitInput in, byte[] out, int at) {
      for (int i = 0; i < size; i++) {
        out[at + i] = (byte) in.bits(8);
      }
    }

    @Override
    public void pack(byte[] in, int at, BitOutput out) {
      for (int i = 0; i < size; i++) {
        out.put(in[at + i], 8);
      }
    }
  }

  /** Decodes the tree from client data and checks it. */
  final class Parser {
    private final int[] data;
    private int at;

    Parser(int[] data, int from) {
      this.data = data;
      this.at = from;
    }

    NbitType parse(int depth) {
      if (depth > MAX_DEPTH) {
        throw fault("depth of the type", "at most " + MAX_DEPTH, depth);
      }
      int kind = next("class");
      int size = next("size");
      if (size < 1) {
        throw fault("size", "at least 1", Integer.toUnsignedString(size));
      }
      return switch (kind) {
        case 1 -> number(size);
        case 2 -> repeated(size, depth);
        case 3 -> members(size, depth);
        case 4 -> new Whole(size);
        default -> throw fault("class", "1..4", Integer.toUnsignedString(kind));
      };
    }

    private NbitType number(int size) {
      int order = within("byte order", next("byte order"), 0, 1);
      long bits = 8L * size;
      int precision = within("precision", next("precision"), 1, bits);
      int offset = within("offset", next("offset"), 0, bits - precision);
      return new Number(size, order == 0 ? Order.LITTLE : Order.BIG, precision, offset);
    }

    private NbitType repeated(int size, int depth) {
      NbitType base = parse(depth + 1);
      // An array whose base is stored completely is itself stored completely, regardless of the
      // size of the base.
      return base instanceof Whole
          ? new Whole(size)
          : new Repeated(size, fitting(base, size, "array base"));
    }

    private NbitType members(int size, int depth) {
      int count = within("members", next("members"), 0, size);
      List<Members.Member> members = new ArrayList<>();
      long used = 0;
      for (int i = 0; i < count; i++) {
        int offset = next("member offset");
        NbitType type = fitting(parse(depth + 1), size, "member");
        within("member offset", offset, 0, size - (long) type.size());
        used += type.size();
        if (used > size) {
          throw fault("bytes of the members", "at most " + size, used);
        }
        members.add(new Members.Member(offset, type));
      }
      return new Members(size, List.copyOf(members));
    }

    private NbitType fitting(NbitType inner, int size, String what) {
      if (inner.size() > size) {
        throw fault("size of the " + what, "at most " + size, inner.size());
      }
      return inner;
    }

    private int next(String what) {
      if (at == data.length) {
        throw fault("client data", what + " at index " + at, "their end");
      }
      return data[at++];
    }

    private int within(String what, int value, long low, long high) {
      if (value < low || value > high) {
        throw fault(what, low + ".." + high, Integer.toUnsignedString(value));
      }
      return value;
    }

    private static FormatException fault(String what, Object expected, Object actual) {
      return new FormatException("nbit: " + what, expected, actual);
    }
  }
}

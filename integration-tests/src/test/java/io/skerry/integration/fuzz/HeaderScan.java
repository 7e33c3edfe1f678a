package io.skerry.integration.fuzz;

import java.util.Map;
import java.util.Optional;

/** Lists the fields of object headers and their messages. */
final class HeaderScan {
  private static final Map<Integer, String> MESSAGES =
      Map.ofEntries(
          Map.entry(2, "version:v1 flags:f1 heap:aO names:aO order:aO"),
          Map.entry(3, "class:t1 bits:f3 size:l4 offset:l2 precision:l2"),
          Map.entry(4, "size:l4"),
          Map.entry(5, "version:v1 allocation:t1 time:t1 defined:t1 size:l4"),
          Map.entry(6, "version:v1 flags:f1 length:l1"),
          Map.entry(7, "version:v1 reserved:u3 slots:c2 used:c2 heap:aO name:lL offset:lL size:lL"),
          Map.entry(0xb, "version:v1 count:c1 id:t2 name:l2 flags:f2 values:c2 value:u4"),
          Map.entry(0xc, "version:v1 flags:f1 name:l2 type:l2 space:l2 set:t1"),
          Map.entry(0xf, "version:v1 table:aO count:c1"),
          Map.entry(0x10, "address:aO length:lL"),
          Map.entry(0x11, "tree:aO heap:aO"),
          Map.entry(0x13, "version:v1 internal:c2 tree:c2 leaf:c2"),
          Map.entry(0x15, "version:v1 flags:f1 heap:aO names:aO order:aO"),
          Map.entry(0x16, "version:v1 count:c4"));

  /** Fields of layout messages of versions 3 and 4, by layout class. */
  private static final String[] LAYOUTS = {
    "size:l2",
    "address:aO size:lL",
    "rank:c1 tree:aO side:d4 side:d4 side:d4",
    "address:aO index:c4",
    "flags:f1 rank:c1 width:l1"
  };

  private static final int MOST_TYPES = 0x19;

  private final byte[] file;
  private final FieldWidths widths;

  HeaderScan(byte[] file, FieldWidths widths) {
    this.file = file;
    this.widths = widths;
  }

  Optional<Structure> versionTwo(int at) {
    int flags = file[at + 5];
    FieldReader reader = new FieldReader(file, widths, at + 4, file.length);
    reader.read("version:v1 flags:f1");
    if ((flags & 0x20) != 0) {
      reader.read("accessed:u4 modified:u4 changed:u4 born:u4");
    }
    if ((flags & 0x10) != 0) {
      reader.read("compact:c2 dense:c2");
    }
    int width = 1 << (flags & 3);
    long size = reader.one("size", FieldKind.LENGTH, (char) ('0' + width));
    int end = reader.at() + (int) size;
    if (size < 0 || size > file.length || end > file.length) {
      return Optional.empty();
    }
    return Optional.of(messages(reader, "OHDR", at, end, (flags & 4) != 0));
  }

  /**
   * Returns a continuation block, assumed to have 256 bytes and no creation order, since other
   * structures store both.
   */
  Structure continuation(int at) {
    int end = Math.min(file.length, at + 256);
    return messages(new FieldReader(file, widths, at + 4, end), "OCHK", at, end, false);
  }

  private Structure messages(FieldReader reader, String kind, int from, int end, boolean ordered) {
    while (reader.at() + 4 <= end) {
      int type = (int) reader.one("message", FieldKind.TYPE, '1');
      int size = (int) reader.one("message.size", FieldKind.LENGTH, '2');
      reader.read("message.flags:f1");
      if (ordered) {
        reader.read("message.order:c2");
      }
      int next = reader.at() + size;
      message(reader, type, Math.min(end, next));
      reader.skip(next - reader.at());
    }
    return new Structure(kind, from, end, from + 4, reader.fields());
  }

  /** Returns a version 1 header, which has no signature, if its fields have plausible values. */
  Optional<Structure> versionOne(int at) {
    if (at + 32 > file.length || file[at + 1] != 0) {
      return Optional.empty();
    }
    FieldReader reader = new FieldReader(file, widths, at, file.length);
    reader.read("version:v1 reserved:u1");
    long messages = reader.one("messages", FieldKind.COUNT, '2');
    long references = reader.one("references", FieldKind.COUNT, '4');
    long size = reader.one("size", FieldKind.LENGTH, '4');
    reader.skip(4);
    long end = reader.at() + size;
    boolean possible = messages > 0 && messages < 200 && references < 100 && size >= 16;
    if (!possible || end > file.length || !fits(reader.at(), (int) end)) {
      return Optional.empty();
    }
    while (reader.at() + 8 <= end) {
      int type = (int) reader.one("message", FieldKind.TYPE, '2');
      int length = (int) reader.one("message.size", FieldKind.LENGTH, '2');
      reader.read("message.flags:f1").skip(3);
      int next = reader.at() + length;
      message(reader, type, (int) Math.min(end, next));
      reader.skip(next - reader.at());
    }
    return Optional.of(new Structure("header 1", at, (int) end, at + 16, reader.fields()));
  }

  private boolean fits(int from, int end) {
    int at = from;
    while (at + 8 <= end) {
      int type = file[at] & 0xff | (file[at + 1] & 0xff) << 8;
      int length = file[at + 2] & 0xff | (file[at + 3] & 0xff) << 8;
      if (type > MOST_TYPES || length % 8 != 0) {
        return false;
      }
      at += 8 + length;
    }
    return at == end;
  }

  private void message(FieldReader outer, int type, int end) {
    FieldReader reader = new FieldReader(file, widths, outer.at(), end);
    switch (type) {
      case 1 -> dataspace(reader);
      case 8 -> layout(reader);
      default -> {
        if (MESSAGES.containsKey(type)) {
          reader.read(MESSAGES.get(type));
        }
      }
    }
    outer.fields().addAll(reader.fields());
  }

  private void dataspace(FieldReader reader) {
    long version = reader.one("space.version", FieldKind.VERSION, '1');
    reader.read("space.rank:c1 space.flags:f1 space.type:t1");
    reader.skip(version == 1 ? 4 : 0);
    while (!reader.isAtEnd()) {
      reader.one("space.extent", FieldKind.DIMENSION, 'L');
    }
  }

  private void layout(FieldReader reader) {
    long version = reader.one("layout.version", FieldKind.VERSION, '1');
    if (version < 3) {
      reader.read("layout.rank:c1 layout.class:t1");
      return;
    }
    int form = (int) reader.one("layout.class", FieldKind.TYPE, '1');
    boolean late = version > 3 && form == 2 || form == 4;
    if (late || form < LAYOUTS.length) {
      reader.read(late ? LAYOUTS[4] : LAYOUTS[form]);
    }
    while (late && !reader.isAtEnd()) {
      reader.one("layout.rest", FieldKind.DIMENSION, '1');
    }
  }
}

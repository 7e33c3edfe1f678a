package io.skerry.internal.copy.header;

import io.skerry.format.header.HeaderPrefix;
import io.skerry.format.header.ObjectHeader;
import io.skerry.format.message.ModificationTimeMessage;
import io.skerry.format.message.OldModificationTimeMessage;
import java.time.DateTimeException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/**
 * The time of the last change to an object, which an object header stores in one of three forms.
 */
final class ModificationTime {
  private ModificationTime() {}

  /** Returns the time in seconds since 1970, UTC; empty if the header has no valid time. */
  static Optional<Long> of(ObjectHeader header) {
    return header
        .prefix()
        .times()
        .map(HeaderPrefix.Times::modification)
        .or(() -> header.find(ModificationTimeMessage.class).map(ModificationTimeMessage::seconds))
        .or(() -> header.find(OldModificationTimeMessage.class).flatMap(ModificationTime::seconds));
  }

  private static Optional<Long> seconds(OldModificationTimeMessage time) {
    try {
      LocalDateTime at =
          LocalDateTime.parse(time.digits(), DateTimeFormatter.ofPattern("uuuuMMddHHmmss"));
      return Optional.of(at.toEpochSecond(ZoneOffset.UTC)).filter(t -> t >= 0 && t >> 32 == 0);
    } catch (DateTimeException e) {
      return Optional.empty();
    }
  }
}

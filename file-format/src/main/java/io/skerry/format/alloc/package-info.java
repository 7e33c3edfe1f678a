/** File space. Start at {@code SpaceAllocator}. */
package io.skerry.format.alloc;

// SPDX-License-Identifier: GPL-2.0-only
/*
 * Mappings of state pages, and the life of a page.
 *
 * Each page has its own file, which mappings hold, so that a mapping does not keep the
 * session open.  The first mapping of a session makes the file, under the session's lock;
 * the last mapping or the end of the session, whichever is later, frees it.
 */
#include <linux/anon_inodes.h>
#include <linux/atomic.h>
#include <linux/err.h>
#include <linux/errno.h>
#include <linux/fcntl.h>
#include <linux/file.h>
#include <linux/fs.h>
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/slab.h>

#include "../session.h"
#include "../target.h"
#include "page.h"

/*
 * A mm that maps a page, its number of mappings, and whether the host has admitted it as
 * a reader.
 */
struct page_user {
	struct list_head node;
	struct mm_struct *mm;
	unsigned int count;
	bool admitted;
};

atomic_t perfmon_pages = ATOMIC_INIT(0);

static void page_free(struct perfmon_page *page)
{
	if (page->memory)
		__free_page(page->memory);
	perfmon_account_close(&page->account);
	kfree(page);
	atomic_dec(&perfmon_pages);
}

static int page_release(struct inode *inode, struct file *file)
{
	page_free(file->private_data);
	return 0;
}

static const struct file_operations page_fops = {
	.owner = THIS_MODULE,
	.release = page_release,
};

/* Allocate a page without its file. */
static struct perfmon_page *page_alloc(const struct perfmon_account *payer)
{
	struct perfmon_page *page = kzalloc(sizeof(*page), GFP_KERNEL_ACCOUNT);

	if (!page)
		return NULL;
	atomic_inc(&perfmon_pages);
	spin_lock_init(&page->lock);
	INIT_LIST_HEAD(&page->users);
	perfmon_account_share(&page->account, payer);
	if (perfmon_account_charge(&page->account, PAGE_SIZE))
		page->memory = alloc_page(GFP_KERNEL_ACCOUNT | __GFP_ZERO);
	if (!page->memory) {
		page_free(page);
		return NULL;
	}
	page->state = page_address(page->memory);
	page->state->version = PFM_STATE_VERSION;
	page->state->size = sizeof(*page->state);
	return page;
}

static struct perfmon_page *page_new(const struct perfmon_account *payer)
{
	struct perfmon_page *page = page_alloc(payer);
	struct file *file;

	if (!page)
		return ERR_PTR(-ENOMEM);
	file = anon_inode_getfile("[perfmon-state]", &page_fops, page,
				  O_RDONLY);
	if (IS_ERR(file)) {
		page_free(page);
		return ERR_CAST(file);
	}
	page->file = file;
	return page;
}

/** perfmon_page_put - drop the session's reference to its page; NULL is allowed */
void perfmon_page_put(struct perfmon_page *page)
{
	if (page)
		fput(page->file);
}

/* Set reader_mm.  The page's lock is held.  Return: has it changed? */
static bool page_find_reader(struct perfmon_page *page)
{
	struct mm_struct *mm = NULL;
	bool changed;

	if (list_is_singular(&page->users))
		mm = list_first_entry(&page->users, struct page_user, node)->mm;
	changed = mm != page->reader_mm;
	WRITE_ONCE(page->reader_mm, mm);
	return changed;
}

static struct page_user *page_find_user(struct perfmon_page *page,
					const struct mm_struct *mm)
{
	struct page_user *user;

	list_for_each_entry(user, &page->users, node) {
		if (user->mm == mm)
			return user;
	}
	return NULL;
}

/* Count a mapping of @mm; takes over @new. */
static void page_add_user(struct perfmon_page *page, struct mm_struct *mm,
			  struct page_user *new)
{
	struct page_user *user;

	spin_lock(&page->lock);
	user = page_find_user(page, mm);
	if (!user) {
		user = new;
		new = NULL;
		user->mm = mm;
		list_add(&user->node, &page->users);
	}
	user->count++;
	page_find_reader(page);
	spin_unlock(&page->lock);
	kfree(new);
}

/* mremap() has made another mapping in the same mm; VM_DONTCOPY prevents other copies. */
static void page_vm_open(struct vm_area_struct *vma)
{
	struct perfmon_page *page = vma->vm_file->private_data;
	struct page_user *user;

	spin_lock(&page->lock);
	user = page_find_user(page, vma->vm_mm);
	if (!WARN_ON_ONCE(!user))
		user->count++;
	spin_unlock(&page->lock);
}

static void page_vm_close(struct vm_area_struct *vma)
{
	struct perfmon_page *page = vma->vm_file->private_data;
	struct page_user *user;
	bool changed = false, admitted = false;

	spin_lock(&page->lock);
	user = page_find_user(page, vma->vm_mm);
	if (!WARN_ON_ONCE(!user) && !--user->count) {
		list_del(&user->node);
		admitted = user->admitted;
		kfree(user);
		changed = page_find_reader(page);
	}
	spin_unlock(&page->lock);
	if (changed)
		perfmon_page_recheck(page);
	if (admitted)
		perfmon_host_reader_end(vma->vm_mm);
}

const struct vm_operations_struct perfmon_page_vm_ops = {
	.open = page_vm_open,
	.close = page_vm_close,
};

/*
 * Return: does @mm map the page without being admitted?  Then mark it as admitted if
 * @admit.
 */
static bool page_may_admit(struct perfmon_page *page, struct mm_struct *mm,
			   bool admit)
{
	struct page_user *user;
	bool may;

	spin_lock(&page->lock);
	user = page_find_user(page, mm);
	may = user && !user->admitted;
	if (may)
		user->admitted = admit;
	spin_unlock(&page->lock);
	return may;
}

/**
 * perfmon_page_admit - have the host admit the caller's program as a reader
 * @page: page that the program may have mapped; the session is locked
 *
 * The host may refuse; then this is called again at the next attachment.
 *
 * Context: may sleep.
 */
void perfmon_page_admit(struct perfmon_page *page)
{
	struct mm_struct *mm = current->mm;

	if (!page_may_admit(page, mm, false) || !perfmon_host_reader_begin(mm))
		return;
	/* Another thread may have unmapped the page meanwhile. */
	if (!page_may_admit(page, mm, true))
		perfmon_host_reader_end(mm);
}

static void page_update_on_target(struct perfmon_session *s, void *unused)
{
	perfmon_page_update(s);
}

/* Get the page of a session, which is locked, and make it if there is none. */
static struct perfmon_page *page_get(struct perfmon_session *s)
{
	struct perfmon_page *page = s->page;

	if (page)
		return page;
	page = page_new(&s->account);
	if (IS_ERR(page))
		return page;
	/*
	 * The page is complete first: the target, which follows the pointer, may use it
	 * at once.
	 */
	smp_store_release(&s->page, page);
	return page;
}

static int page_map(struct perfmon_session *s, struct vm_area_struct *vma,
		    struct page_user *user)
{
	struct perfmon_page *page = page_get(s);
	int err;

	if (IS_ERR(page))
		return PTR_ERR(page);
	/* VM_IO: madvise() cannot undo VM_DONTCOPY. */
	vm_flags_mod(vma, VM_IO | VM_DONTCOPY | VM_DONTEXPAND | VM_DONTDUMP,
		     VM_MAYWRITE | VM_MAYEXEC);
	err = vm_insert_page(vma, vma->vm_start, page->memory);
	if (err)
		return err;
	vma_set_file(vma, page->file);
	vma->vm_ops = &perfmon_page_vm_ops;
	page_add_user(page, vma->vm_mm, user);
	if (!(s->flags & PFM_FL_SYSTEM_WIDE))
		perfmon_page_admit(page);
	perfmon_on_target(s, perfmon_caller_any(s), page_update_on_target,
			  NULL);
	return 0;
}

/**
 * perfmon_page_mmap - map the state page of a session
 * @s: session
 * @vma: at the offset of state pages
 *
 * Return: 0; -EINVAL: private, executable, or not one page long; -ENOMEM: no
 * memory, or over RLIMIT_MEMLOCK of the session's creator.
 */
int perfmon_page_mmap(struct perfmon_session *s, struct vm_area_struct *vma)
{
	struct page_user *user;
	int err;

	if (!(vma->vm_flags & VM_MAYSHARE) ||
	    (vma->vm_flags & (VM_WRITE | VM_EXEC)) ||
	    vma->vm_end - vma->vm_start != PAGE_SIZE)
		return -EINVAL;
	user = kzalloc(sizeof(*user), GFP_KERNEL_ACCOUNT);
	if (!user)
		return -ENOMEM;
	mutex_lock(&s->lock);
	err = page_map(s, vma, user);
	mutex_unlock(&s->lock);
	if (err)
		kfree(user);
	/*
	 * Another process maps the page as well: its former only reader has lost the
	 * right.
	 */
	else
		perfmon_page_recheck(s->page);
	return err;
}
